/* The functions of a scene's expressions. The OpenCL backend replaces this file by them
 * (host/backend/opencl/expressions.c); this is the version for a scene without expressions. */
#define CAB_OWN_SWITCH(kind, CALL) ((void)(kind))

CAB_INLINE real cab_expression(int kind, const real *x, real rest)
{
    return 0;
}
