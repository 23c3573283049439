/* A small Objective-C runtime: classes without inheritance, selectors, pools, and message sends with the real calling convention. */
#include "runtime.h"
#include <stdlib.h>
#include <string.h>

#define MOST_CLASSES 64
#define MOST_SELECTORS 256
#define MOST_POOLED 200000

static Class classes[MOST_CLASSES], metaclasses[MOST_CLASSES];
static int class_count;
static const char *selectors[MOST_SELECTORS];
static int selector_count;

Class *class_named(const char *name, const Method *of_class, const Method *of_instances) {
  Class *made = &classes[class_count], *meta = &metaclasses[class_count++];
  *made = (Class){ { meta, 0xC0FFEE01u, INSTANCE, -1 }, name, meta, of_instances };
  *meta = (Class){ { NULL, 0xC0FFEE01u, INSTANCE, -1 }, name, NULL, of_class };
  return made;
}

Class *objc_getClass(const char *name) {
  for (int i = 0; i < class_count; i++)
    if (strcmp(classes[i].name, name) == 0) return &classes[i];
  return NULL;
}

const char *sel_registerName(const char *name) {
  for (int i = 0; i < selector_count; i++)
    if (strcmp(selectors[i], name) == 0) return selectors[i];
  if (selector_count == MOST_SELECTORS) die("too many selectors");
  return selectors[selector_count++] = strdup(name);
}

void *standin_method(CFTypeRef receiver, const char *selector) {
  Header *head = checked(receiver, 0);
  int known = 0;
  for (int i = 0; i < selector_count; i++) known |= selectors[i] == selector;
  if (!known) die("%p is no selector", (const void *)selector);
  if (head->isa == NULL) die("%s was sent to an object without a class", selector);
  for (const Method *method = head->isa->methods; method->selector != NULL; method++)
    if (strcmp(method->selector, selector) == 0) return method->code;
  die("-[%s %s]: unrecognized selector", head->isa->name, selector);
}

#if defined(__x86_64__)
/* Arguments are in registers: they are saved around the search for the method, which then gets them as they came. */
#define SEND(name, receiver, selector)                                                                      \
  __asm__(".globl " #name "\n.type " #name ", @function\n" #name ":\n"                                      \
          "test " receiver ", " receiver "\njnz 1f\nxor %eax, %eax\npxor %xmm0, %xmm0\nret\n1:\n"             \
          "push %rbp\nmov %rsp, %rbp\npush %rdi\npush %rsi\npush %rdx\npush %rcx\npush %r8\npush %r9\n"       \
          "sub $64, %rsp\nmovsd %xmm0, (%rsp)\nmovsd %xmm1, 8(%rsp)\nmovsd %xmm2, 16(%rsp)\n"                 \
          "movsd %xmm3, 24(%rsp)\n"                                                                          \
          "mov " receiver ", %rax\nmov " selector ", %rsi\nmov %rax, %rdi\ncall standin_method@PLT\nmov %rax, %r11\n" \
          "movsd (%rsp), %xmm0\nmovsd 8(%rsp), %xmm1\nmovsd 16(%rsp), %xmm2\nmovsd 24(%rsp), %xmm3\n"          \
          "add $64, %rsp\npop %r9\npop %r8\npop %rcx\npop %rdx\npop %rsi\npop %rdi\npop %rbp\njmp *%r11\n")
SEND(objc_msgSend, "%rdi", "%rsi");
SEND(objc_msgSend_stret, "%rsi", "%rdx");
#elif defined(__aarch64__)
__asm__(".globl objc_msgSend\n.type objc_msgSend, %function\nobjc_msgSend:\ncbnz x0, 1f\nmov x1, #0\nmovi d0, #0\nret\n1:\n"
        "stp x29, x30, [sp, #-144]!\nstp x0, x1, [sp, #16]\nstp x2, x3, [sp, #32]\nstp x4, x5, [sp, #48]\n"
        "stp x6, x7, [sp, #64]\nstr x8, [sp, #80]\nstp d0, d1, [sp, #96]\nstp d2, d3, [sp, #112]\n"
        "bl standin_method\nmov x16, x0\nldp x0, x1, [sp, #16]\nldp x2, x3, [sp, #32]\nldp x4, x5, [sp, #48]\n"
        "ldp x6, x7, [sp, #64]\nldr x8, [sp, #80]\nldp d0, d1, [sp, #96]\nldp d2, d3, [sp, #112]\n"
        "ldp x29, x30, [sp], #144\nbr x16\n");
#else
#error "message sends are written for x86_64 and aarch64"
#endif

/* ---- pools ---- */

static CFTypeRef pooled[MOST_POOLED];
static long pooled_count, pools;

void *objc_autoreleasePoolPush(void) {
  pools++;
  return (void *)(pooled_count + 1);
}
void objc_autoreleasePoolPop(void *pool) {
  if (pools-- == 0) die("no pool is open");
  while (pooled_count > (long)pool - 1) released(pooled[--pooled_count]);
}
CFTypeRef autoreleased(CFTypeRef ref) {
  if (pools == 0) die("an object was autoreleased with no pool in place");
  if (pooled_count == MOST_POOLED) die("the pool is full");
  return pooled[pooled_count++] = ref;
}
