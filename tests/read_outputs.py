"""Reads .vtp and .npz files by VTK and NumPy and prints what is in them as JSON, for tests whose Python has neither.

    read_outputs.py FILE...

scripts/setup makes the Python that this wants (third_party/python).
"""
import json
import sys

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader


def arrays_of(attributes):
    return {attributes.GetArrayName(i): vtk_to_numpy(attributes.GetArray(i)).tolist()
            for i in range(attributes.GetNumberOfArrays())}


def cells_of(cells):
    corners, ends = vtk_to_numpy(cells.GetConnectivityArray()), vtk_to_numpy(cells.GetOffsetsArray())
    return [corners[a:b].tolist() for a, b in zip(ends, ends[1:])]


def read_vtp(path):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(path)
    reader.Update()
    data = reader.GetOutput()
    return {"points": vtk_to_numpy(data.GetPoints().GetData()).tolist() if data.GetNumberOfPoints() else [],
            "point_data": arrays_of(data.GetPointData()), "cell_data": arrays_of(data.GetCellData()),
            "dots": cells_of(data.GetVerts()), "lines": cells_of(data.GetLines()), "faces": cells_of(data.GetPolys()),
            "time": arrays_of(data.GetFieldData())["TimeValue"][0]}


def read_npz(path):
    with np.load(path) as file:
        return {name: {"type": file[name].dtype.str, "shape": file[name].shape, "values": file[name].tolist()}
                for name in file.files}


print(json.dumps([read_npz(path) if path.endswith(".npz") else read_vtp(path) for path in sys.argv[1:]]))
