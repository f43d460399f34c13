/* HDF5, which writes .vtkhdf. */
#ifndef CAB_LIBRARY_HDF5_H
#define CAB_LIBRARY_HDF5_H

#include <hdf5.h>

#include "library/library.h"

#define CAB_HDF5_SYMBOLS(X)                                                                                  \
    X(H5open)                                                                                                \
    X(H5Aclose)                                                                                              \
    X(H5Acreate2)                                                                                            \
    X(H5Awrite)                                                                                              \
    X(H5Dclose)                                                                                              \
    X(H5Dcreate2)                                                                                            \
    X(H5Dwrite)                                                                                              \
    X(H5Fclose)                                                                                              \
    X(H5Fcreate)                                                                                             \
    X(H5Gclose)                                                                                              \
    X(H5Gopen2)                                                                                              \
    X(H5Pclose)                                                                                              \
    X(H5Pcreate)                                                                                             \
    X(H5Pset_create_intermediate_group)                                                                      \
    X(H5Pset_obj_track_times)                                                                                \
    X(H5Sclose)                                                                                              \
    X(H5Screate)                                                                                             \
    X(H5Screate_simple)                                                                                      \
    X(H5Sselect_hyperslab)                                                                                   \
    X(H5Tclose)                                                                                              \
    X(H5Tcopy)                                                                                               \
    X(H5Tset_size)                                                                                           \
    X(H5Tset_strpad)                                                                                         \
    X(H5P_CLS_DATASET_CREATE_ID_g)                                                                           \
    X(H5P_CLS_LINK_CREATE_ID_g)                                                                              \
    X(H5T_C_S1_g)                                                                                            \
    X(H5T_NATIVE_DOUBLE_g)                                                                                   \
    X(H5T_NATIVE_FLOAT_g)                                                                                    \
    X(H5T_NATIVE_INT32_g)                                                                                    \
    X(H5T_NATIVE_INT64_g)

typedef struct cab_hdf5_table {
    CAB_HDF5_SYMBOLS(CAB_LIBRARY_FIELD)
} cab_hdf5_table;
extern cab_hdf5_table cab_hdf5;

/* Before anything of it is called; the errors of cab_library_load(). */
cab_status cab_hdf5_load(const char *user, cab_error *error);

/* The file's name tells the version; the header's own check would end the process. */
#undef H5CHECK
#define H5CHECK

#ifndef CAB_LIBRARY_TABLE /* which hdf5.c defines */
#define H5open cab_hdf5.H5open
#define H5Aclose cab_hdf5.H5Aclose
#define H5Acreate2 cab_hdf5.H5Acreate2
#define H5Awrite cab_hdf5.H5Awrite
#define H5Dclose cab_hdf5.H5Dclose
#define H5Dcreate2 cab_hdf5.H5Dcreate2
#define H5Dwrite cab_hdf5.H5Dwrite
#define H5Fclose cab_hdf5.H5Fclose
#define H5Fcreate cab_hdf5.H5Fcreate
#define H5Gclose cab_hdf5.H5Gclose
#define H5Gopen2 cab_hdf5.H5Gopen2
#define H5Pclose cab_hdf5.H5Pclose
#define H5Pcreate cab_hdf5.H5Pcreate
#define H5Pset_create_intermediate_group cab_hdf5.H5Pset_create_intermediate_group
#define H5Pset_obj_track_times cab_hdf5.H5Pset_obj_track_times
#define H5Sclose cab_hdf5.H5Sclose
#define H5Screate cab_hdf5.H5Screate
#define H5Screate_simple cab_hdf5.H5Screate_simple
#define H5Sselect_hyperslab cab_hdf5.H5Sselect_hyperslab
#define H5Tclose cab_hdf5.H5Tclose
#define H5Tcopy cab_hdf5.H5Tcopy
#define H5Tset_size cab_hdf5.H5Tset_size
#define H5Tset_strpad cab_hdf5.H5Tset_strpad
#define H5P_CLS_DATASET_CREATE_ID_g (*cab_hdf5.H5P_CLS_DATASET_CREATE_ID_g)
#define H5P_CLS_LINK_CREATE_ID_g (*cab_hdf5.H5P_CLS_LINK_CREATE_ID_g)
#define H5T_C_S1_g (*cab_hdf5.H5T_C_S1_g)
#define H5T_NATIVE_DOUBLE_g (*cab_hdf5.H5T_NATIVE_DOUBLE_g)
#define H5T_NATIVE_FLOAT_g (*cab_hdf5.H5T_NATIVE_FLOAT_g)
#define H5T_NATIVE_INT32_g (*cab_hdf5.H5T_NATIVE_INT32_g)
#define H5T_NATIVE_INT64_g (*cab_hdf5.H5T_NATIVE_INT64_g)
#endif

#endif
