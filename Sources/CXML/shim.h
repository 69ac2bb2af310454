#pragma once
// Debian builds libxml2 with ICU, whose types clash with those of Foundation's own copy; nothing used here needs them.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
