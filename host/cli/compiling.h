/* What people see while kernels are being compiled: a line, and a bar once it takes longer than a second. */
#ifndef CAB_COMPILING_H
#define CAB_COMPILING_H

/* A message of level 2 (cab_world_def.log). */
void cab_cli_compiling(const char *text);
/* The same as a whole `log`, for what says nothing else; `user` is not used. */
void cab_cli_log_compiling(void *user, int level, const char *text);

#endif
