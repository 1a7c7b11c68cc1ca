"""Sources of file contents: assets, resource providers and the file system.

providers       readers of names with a scheme; contents of zip files
resources       files of one load: given assets first, then providers, then the file system
repeatable      whether a compilation, done again, would give the same model
vfs             files in memory, and providers at paths, for loaders: MjVfs
cache           compiled assets, kept for later loads
"""
