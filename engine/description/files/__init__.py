"""Where the contents of files come from.

providers       what answers for names with a scheme; contents of zip files
resources       names of one load: given assets first, then providers, then the file system
vfs             files in memory, and providers at paths, for loaders: MjVfs
cache           what compiling made of a file, kept for the next time
"""
