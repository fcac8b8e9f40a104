"""Vetting inside of other people's agents: LangChain, LlamaIndex, Haystack and gpt-researcher.

Nothing is imported here: import the module of the framework that you use, for example
``probity.integrations.langchain``. Each needs that framework installed, and nothing else.
"""
