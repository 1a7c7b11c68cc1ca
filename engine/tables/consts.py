"""Numeric constants with MuJoCo's values, and the string tables of flags, labels and frames."""

mjKEY_BACKSPACE = 259
mjKEY_DELETE = 261
mjKEY_DOWN = 264
mjKEY_END = 269
mjKEY_ENTER = 257
mjKEY_ESCAPE = 256
mjKEY_F1 = 290
mjKEY_F10 = 299
mjKEY_F11 = 300
mjKEY_F12 = 301
mjKEY_F2 = 291
mjKEY_F3 = 292
mjKEY_F4 = 293
mjKEY_F5 = 294
mjKEY_F6 = 295
mjKEY_F7 = 296
mjKEY_F8 = 297
mjKEY_F9 = 298
mjKEY_HOME = 268
mjKEY_INSERT = 260
mjKEY_LEFT = 263
mjKEY_NUMPAD_0 = 320
mjKEY_NUMPAD_9 = 329
mjKEY_PAGE_DOWN = 267
mjKEY_PAGE_UP = 266
mjKEY_RIGHT = 262
mjKEY_TAB = 258
mjKEY_UP = 265
mjMAXCONPAIR = 50
mjMAXFLEXNODES = 27
mjMAXIMP = 0.9999
mjMAXLIGHT = 100
mjMAXLINE = 100
mjMAXLINEPNT = 1001
mjMAXMATERIAL = 1000
mjMAXOVERLAY = 500
mjMAXPLANEGRID = 200
mjMAXTEXTURE = 1000
mjMAXTHREAD = 128
mjMAXTREEDEPTH = 50
mjMAXUIEDIT = 7
mjMAXUIITEM = 200
mjMAXUIMULTI = 35
mjMAXUINAME = 40
mjMAXUIRECT = 25
mjMAXUISECT = 10
mjMAXUITEXT = 300
mjMAXVAL = 10000000000.0
mjMINAWAKE = 10
mjMINIMP = 0.0001
mjMINMU = 1e-05
mjMINVAL = 1e-15
mjNAUX = 10
mjNBIAS = 10
mjNDYN = 10
mjNEQDATA = 11
mjNFLUID = 12
mjNGAIN = 10
mjNGROUP = 6
mjNIMP = 5
mjNISLAND = 20
mjNREF = 2
mjNSENS = 3
mjNSOLVER = 200
mjPI = 3.141592653589793
mjPRESERVE = 2000
mjSEPCLOSED = 1000
mjVERSION_HEADER = 340

mjDISABLESTRING = (
    "Constraint",
    "Equality",
    "Frictionloss",
    "Limit",
    "Contact",
    "Spring",
    "Damper",
    "Gravity",
    "Clampctrl",
    "Warmstart",
    "Filterparent",
    "Actuation",
    "Refsafe",
    "Sensor",
    "Midphase",
    "Eulerdamp",
    "AutoReset",
    "NativeCCD",
    "Island",
)

mjENABLESTRING = (
    "Override",
    "Energy",
    "Fwdinv",
    "InvDiscrete",
    "MultiCCD",
    "Sleep",
    "DiagExact",
    "Speculative",
)

mjFRAMESTRING = (
    "None",
    "Body",
    "Geom",
    "Site",
    "Camera",
    "Light",
    "Contact",
    "World",
)

mjLABELSTRING = (
    "None",
    "Body",
    "Joint",
    "Geom",
    "Site",
    "Camera",
    "Light",
    "Tendon",
    "Actuator",
    "Constraint",
    "Flex",
    "Skin",
    "Selection",
    "SelPoint",
    "Contact",
    "ContactForce",
    "Island",
)

mjRNDSTRING = (
    ("Shadow", "1", "S"),
    ("Wireframe", "0", "W"),
    ("Reflection", "1", "R"),
    ("Additive", "0", "L"),
    ("Skybox", "1", "K"),
    ("Fog", "0", "G"),
    ("Haze", "1", "/"),
    ("Segment", "0", ","),
    ("Id Color", "0", ""),
    ("Cull Face", "1", ""),
)

mjTIMERSTRING = (
    "step",
    "forward",
    "inverse",
    "position",
    "velocity",
    "actuation",
    "constraint",
    "advance",
    "pos_kinematics",
    "pos_inertia",
    "pos_collision",
    "pos_make",
    "pos_project",
    "col_broadphase",
    "col_narrowphase",
)

mjVISSTRING = (
    ("Convex Hull", "0", "H"),
    ("Texture", "1", "X"),
    ("Joint", "0", "J"),
    ("Camera", "0", "Q"),
    ("Actuator", "0", "U"),
    ("Activation", "0", ","),
    ("Light", "0", "Z"),
    ("Tendon", "1", "V"),
    ("Range Finder", "1", "Y"),
    ("Equality", "0", "E"),
    ("Inertia", "0", "I"),
    ("Scale Inertia", "0", "'"),
    ("Perturb Force", "0", "B"),
    ("Perturb Object", "1", "O"),
    ("Contact Point", "0", "C"),
    ("Island", "0", "N"),
    ("Contact Force", "0", "F"),
    ("Contact Split", "0", "P"),
    ("Transparent", "0", "T"),
    ("Auto Connect", "0", "A"),
    ("Center of Mass", "0", "M"),
    ("Select Point", "0", ""),
    ("Static Body", "1", "D"),
    ("Skin", "1", ";"),
    ("Flex Vert", "0", ""),
    ("Flex Edge", "1", ""),
    ("Flex Face", "0", ""),
    ("Flex Skin", "1", ""),
    ("Body Tree", "0", "`"),
    ("Mesh Tree", "0", "\\"),
    ("SDF iters", "0", ""),
)
# Number of values stored in a history in addition to times and samples: last sampling time, and index of the newest sample.
HISTORY_HEAD = 2
