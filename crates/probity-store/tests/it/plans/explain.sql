-- Has the server tell every plan to whoever sent the statement.
DO $$
DECLARE
    setting TEXT;
BEGIN
    FOREACH setting IN ARRAY ARRAY[
        'session_preload_libraries = ''auto_explain''',
        'auto_explain.log_min_duration = 0',
        'auto_explain.log_analyze = on',
        'auto_explain.log_timing = off',
        'auto_explain.log_level = ''notice''',
        'auto_explain.log_format = ''json'''
    ] LOOP
        EXECUTE format('ALTER DATABASE %I SET ', current_database()) || setting;
    END LOOP;
END $$
