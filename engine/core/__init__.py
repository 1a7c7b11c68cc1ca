"""What exists: field tables, storage, and the compiler layer. The ground floor; imports nothing of the project.

jit          decorators of kernels, stage objects, object cache          lang, intrinsics   what kernels may use
target, stamp, archive, store   what code is for, its name, where it was packed with the package, where it is kept
stages       THE table of stages, status and recovery                    schema             parsed field tables
model_fields, data_fields, option_fields   one row a field               struct, options    buffers and views
compat_rows  TABLE of silent changes of later releases, the switch
units        nominal units of fields                             arena              what the reference keeps of its memory
model, data  MjModel, MjData                                             names, records     access by name; record lists
counts       counts of warnings                                       hooks              user callbacks
report, logs  errors, warnings and the log                             plugin             registry of plugins, their instances
interpret    kernels as Python functions                             arithmetic, memory  numbers, arrays and structs for them
debug        what stands in a stage's place                          validate*, edits   which indices compiled code can trust
calls, layout   the way of public functions into compiled code       pace               slices of long calls
frozen       arrays that are only read                                   turns              whether a batch is idle or in a call
checked      kernels that check their indices                       packs, pack_values    numbers side by side
owner        which thread is inside a Data                            garbage            the collector, at rest
waiting      a line for who waits for the compiler
machine      what Linux, macOS and Windows name differently           regular            files that may be pipes or devices
enums, consts   integer values and limits of the reference
"""
