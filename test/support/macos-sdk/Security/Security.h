// As much of Security as native-addon/ uses.
#pragma once
#include <Foundation/Foundation.h>
typedef struct __SecCode *SecCodeRef;
typedef struct __SecRequirement *SecRequirementRef;
typedef uint32_t SecCSFlags;
enum : SecCSFlags { kSecCSDefaultFlags = 0 };
enum : OSStatus { errSecSuccess = 0 };
extern "C" {
extern const CFStringRef kSecGuestAttributeAudit;
OSStatus SecCodeCopyGuestWithAttributes(SecCodeRef host, CFDictionaryRef attributes, SecCSFlags flags, SecCodeRef *guest);
OSStatus SecRequirementCreateWithString(CFStringRef text, SecCSFlags flags, SecRequirementRef *requirement);
}
