/* libxml2, which reads KBL. */
#ifndef CAB_LIBRARY_LIBXML2_H
#define CAB_LIBRARY_LIBXML2_H

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xpath.h>

#include "library/library.h"

#define CAB_LIBXML2_SYMBOLS(X)                                                                               \
    X(__xmlParserVersion)                                                                                    \
    X(__xmlStructuredError)                                                                                  \
    X(__xmlStructuredErrorContext)                                                                           \
    X(xmlCtxtReadMemory)                                                                                     \
    X(xmlDocGetRootElement)                                                                                  \
    X(xmlFreeDoc)                                                                                            \
    X(xmlFreeParserCtxt)                                                                                     \
    X(xmlGetLineNo)                                                                                          \
    X(xmlGetPredefinedEntity)                                                                                \
    X(xmlHasProp)                                                                                            \
    X(xmlNewParserCtxt)                                                                                      \
    X(xmlSetStructuredErrorFunc)                                                                             \
    X(xmlStopParser)                                                                                         \
    X(xmlXPathCastStringToNumber)

typedef struct cab_libxml2_table {
    CAB_LIBXML2_SYMBOLS(CAB_LIBRARY_FIELD)
} cab_libxml2_table;
extern cab_libxml2_table cab_libxml2;

/* Before anything of it is called; the errors of cab_library_load(). */
cab_status cab_libxml2_load(const char *user, cab_error *error);

#ifndef CAB_LIBRARY_TABLE /* which libxml2.c defines */
#define __xmlParserVersion cab_libxml2.__xmlParserVersion
#define __xmlStructuredError cab_libxml2.__xmlStructuredError
#define __xmlStructuredErrorContext cab_libxml2.__xmlStructuredErrorContext
#define xmlCtxtReadMemory cab_libxml2.xmlCtxtReadMemory
#define xmlDocGetRootElement cab_libxml2.xmlDocGetRootElement
#define xmlFreeDoc cab_libxml2.xmlFreeDoc
#define xmlFreeParserCtxt cab_libxml2.xmlFreeParserCtxt
#define xmlGetLineNo cab_libxml2.xmlGetLineNo
#define xmlGetPredefinedEntity cab_libxml2.xmlGetPredefinedEntity
#define xmlHasProp cab_libxml2.xmlHasProp
#define xmlNewParserCtxt cab_libxml2.xmlNewParserCtxt
#define xmlSetStructuredErrorFunc cab_libxml2.xmlSetStructuredErrorFunc
#define xmlStopParser cab_libxml2.xmlStopParser
#define xmlXPathCastStringToNumber cab_libxml2.xmlXPathCastStringToNumber
#endif

#endif
