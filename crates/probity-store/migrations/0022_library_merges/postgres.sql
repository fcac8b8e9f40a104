-- PostgreSQL gathers by itself; the step is there so that both engines count the same.
SELECT 1;
