/* libxml2, which reads KBL. */
#ifndef CAB_LIBRARY_LIBXML2_H
#define CAB_LIBRARY_LIBXML2_H

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlsave.h>
#include <libxml/xpath.h>

#include "library/library.h"

#define CAB_LIBXML2_SYMBOLS(X)                                                                               \
    X(__xmlParserVersion)                                                                                    \
    X(__xmlStructuredError)                                                                                  \
    X(__xmlStructuredErrorContext)                                                                           \
    X(xmlAddChild)                                                                                           \
    X(xmlCtxtReadMemory)                                                                                     \
    X(xmlDocGetRootElement)                                                                                  \
    X(xmlDocSetRootElement)                                                                                  \
    X(xmlFreeDoc)                                                                                            \
    X(xmlFreeParserCtxt)                                                                                     \
    X(xmlGetLineNo)                                                                                          \
    X(xmlGetPredefinedEntity)                                                                                \
    X(xmlHasProp)                                                                                            \
    X(xmlNewDoc)                                                                                             \
    X(xmlNewDocRawNode)                                                                                      \
    X(xmlNewNs)                                                                                              \
    X(xmlNewNsProp)                                                                                          \
    X(xmlNewParserCtxt)                                                                                      \
    X(xmlNewProp)                                                                                            \
    X(xmlSaveClose)                                                                                          \
    X(xmlSaveDoc)                                                                                            \
    X(xmlSaveToIO)                                                                                           \
    X(xmlSetNs)                                                                                              \
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
#define xmlAddChild cab_libxml2.xmlAddChild
#define xmlCtxtReadMemory cab_libxml2.xmlCtxtReadMemory
#define xmlDocGetRootElement cab_libxml2.xmlDocGetRootElement
#define xmlDocSetRootElement cab_libxml2.xmlDocSetRootElement
#define xmlFreeDoc cab_libxml2.xmlFreeDoc
#define xmlFreeParserCtxt cab_libxml2.xmlFreeParserCtxt
#define xmlGetLineNo cab_libxml2.xmlGetLineNo
#define xmlGetPredefinedEntity cab_libxml2.xmlGetPredefinedEntity
#define xmlHasProp cab_libxml2.xmlHasProp
#define xmlNewDoc cab_libxml2.xmlNewDoc
#define xmlNewDocRawNode cab_libxml2.xmlNewDocRawNode
#define xmlNewNs cab_libxml2.xmlNewNs
#define xmlNewNsProp cab_libxml2.xmlNewNsProp
#define xmlNewParserCtxt cab_libxml2.xmlNewParserCtxt
#define xmlNewProp cab_libxml2.xmlNewProp
#define xmlSaveClose cab_libxml2.xmlSaveClose
#define xmlSaveDoc cab_libxml2.xmlSaveDoc
#define xmlSaveToIO cab_libxml2.xmlSaveToIO
#define xmlSetNs cab_libxml2.xmlSetNs
#define xmlSetStructuredErrorFunc cab_libxml2.xmlSetStructuredErrorFunc
#define xmlStopParser cab_libxml2.xmlStopParser
#define xmlXPathCastStringToNumber cab_libxml2.xmlXPathCastStringToNumber
#endif

#endif
