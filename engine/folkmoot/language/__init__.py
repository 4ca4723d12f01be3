"""The law language: the wrapped Starlark binding, its prelude, its library and its checks."""
