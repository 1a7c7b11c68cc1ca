"""An extension module that is imported without its package behaves as after an ordinary import of everything."""

import json
import subprocess
import sys

import pytest

from tumble.engine.machine import extensions

QHULL = '"scipy.spatial._qhull", "scipy._lib.messagestream", "scipy.linalg.cython_lapack"'
FIRST = f"""
import json, sys
import numpy as np
from tumble.engine.machine.extensions import extension
qhull = extension({QHULL})
qhull._Qhull(b"i", np.eye(4, 3), b"Qt").close()
seen = ["scipy.spatial.distance" in sys.modules, "scipy.linalg._basic" in sys.modules]
import scipy.linalg, scipy.spatial
import scipy._lib.doccer, scipy.spatial.distance
from scipy.spatial.transform import Rotation
box = scipy.spatial.ConvexHull(np.stack(np.meshgrid([0, 1], [0, 1], [0, 1]), -1).reshape(-1, 3))
seen += [box.volume, scipy.spatial._qhull is qhull, extension({QHULL}) is qhull, scipy.spatial.ConvexHull is qhull.ConvexHull]
seen += [hasattr(scipy._lib, "doccer"), float(scipy.linalg.det(np.eye(3)))]
print(json.dumps(seen))
"""
LATER = FIRST.replace("import numpy as np\n", "import numpy as np, scipy.spatial\n", 1)


@pytest.mark.parametrize("script", (FIRST, LATER), ids=("before scipy", "after scipy"))
def test_packages_work_afterwards(script):
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    *loaded, volume, same, again, public, attribute, det = json.loads(found.stdout)
    assert loaded == [script is LATER] * 2
    assert abs(volume - 1) < 1e-12 and det == 1 and same and again and public and attribute


def test_what_is_no_extension_module_is_imported_as_usual():
    import colorsys

    assert extensions.extension("colorsys") is colorsys
    assert extensions.extension("xml.dom.minidom", "xml.dom").__name__ == "xml.dom.minidom"
    with pytest.raises(ModuleNotFoundError):
        extensions.extension("scipy.spatial.there_is_no_such_module")
