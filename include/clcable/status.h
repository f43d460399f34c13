/* clcable: status codes and error messages.
 *
 * Every call that can fail returns a cab_status and takes a `cab_error *` as its last argument. The pointer
 * may be NULL. There is no global error state: two threads working on two worlds never see each other's
 * errors.
 */
#ifndef CLCABLE_STATUS_H
#define CLCABLE_STATUS_H

#if defined(CLCABLE_SHARED) && defined(__GNUC__)
#define CAB_API __attribute__((visibility("default")))
#else
#define CAB_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** What became of a call. Zero is success. */
typedef enum cab_status {
    CAB_OK = 0,
    CAB_ERROR_INPUT, /**< a value, a name (also of a device) or a file's content is wrong; the message says
                        which */
    CAB_ERROR_UNSUPPORTED, /**< the value is right but not built yet (a method, a shape, a format) */
    CAB_ERROR_DEVICE,  /**< no OpenCL device at all, or an OpenCL call failed; the message names call and code
                        */
    CAB_ERROR_MEMORY,  /**< host or device memory ran out */
    CAB_ERROR_IO,      /**< a file could not be read or written */
    CAB_ERROR_DIVERGED /**< the simulation left the range of finite or sensible numbers */
} cab_status;

/** Longest message, its terminating zero included (bytes). */
#define CAB_MESSAGE_SIZE 1024

/** Filled by a failing call; untouched by one that succeeds. */
typedef struct cab_error {
    cab_status status;              /**< same as the call's result */
    char message[CAB_MESSAGE_SIZE]; /**< one line of UTF-8 without a line break */
} cab_error;

/** The name of a status, such as "input" or "device". Static storage. */
CAB_API const char *cab_status_name(cab_status status);

/** The library's version, such as "0.1.0". Static storage. */
CAB_API const char *cab_version(void);

#ifdef __cplusplus
}
#endif
#endif
