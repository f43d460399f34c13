/* Functions that are made of a scene's expressions: the OpenCL backend puts them in place of this file
 * (host/backend/opencl/expressions.c). This is what they are of a scene without any.
 */
#define CAB_OWN_SWITCH(kind, CALL) ((void)(kind))

CAB_INLINE real cab_expression(int kind, const real *x, real rest)
{
    return 0;
}
