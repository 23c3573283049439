#pragma once
#include "objects.h"

typedef struct { const char *selector; void *code; } Method;

/* An object of a class of these tests, with a number. */
CFTypeRef instance(Class *class, int32_t pid);
void class_missing(const char *name, int missing); /* as on an older system */
const char *selector_name(const void *selector);
Class *class_named(const char *name, const Method *of_class, const Method *of_instances);
