/* Messages with the real calling convention: standin_method is asked for the code, which then gets its arguments as they came. */
#include "objects.h"

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
