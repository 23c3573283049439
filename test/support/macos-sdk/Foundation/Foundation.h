// As much of Foundation as native-addon/ uses, written for these tests: types and selectors as the public headers have them.
#pragma once
#include <stddef.h>
#include <stdint.h>

#if __LP64__ && __arm64__
typedef bool BOOL;
#else
typedef signed char BOOL;
#endif
#define YES ((BOOL)1)
#define NO ((BOOL)0)
#define nil nullptr
#define NS_ENUM(type, name) enum name : type name; enum name : type
#define MIN(a, b) ((a) < (b) ? (a) : (b))

typedef long NSInteger;
typedef unsigned long NSUInteger;
typedef double NSTimeInterval;
typedef int pid_t;
typedef unsigned uid_t;
typedef int OSStatus;
typedef const void *CFTypeRef;
typedef const struct __CFString *CFStringRef;
typedef const struct __CFDictionary *CFDictionaryRef;
typedef struct { NSUInteger location, length; } NSRange;
typedef struct { unsigned long state; id __unsafe_unretained *itemsPtr; unsigned long *mutationsPtr; unsigned long extra[5]; } NSFastEnumerationState;

extern "C" {
CFTypeRef CFBridgingRetain(id object) __attribute__((cf_returns_retained));
id CFBridgingRelease(CFTypeRef __attribute__((cf_consumed)) object) __attribute__((ns_returns_retained));
void CFRelease(CFTypeRef object);
NSRange NSMakeRange(NSUInteger location, NSUInteger length);

typedef void (^dispatch_block_t)(void);
typedef uint64_t dispatch_time_t;
@class NSObject;
typedef NSObject *dispatch_queue_t;
dispatch_time_t dispatch_time(dispatch_time_t when, int64_t delta);
void dispatch_after(dispatch_time_t when, dispatch_queue_t queue, dispatch_block_t block);
dispatch_queue_t dispatch_get_global_queue(intptr_t identifier, uintptr_t flags);
}
#define DISPATCH_TIME_NOW 0ull
#define QOS_CLASS_DEFAULT 0x15
#define NSEC_PER_MSEC 1000000ull

@class NSString, NSArray, NSError, NSXPCConnection, NSXPCListener;

@protocol NSObject
- (BOOL)isEqual:(id)object;
- (BOOL)isKindOfClass:(Class)named;
- (BOOL)respondsToSelector:(SEL)selector;
@end
__attribute__((objc_root_class)) @interface NSObject <NSObject>
+ (instancetype)alloc;
+ (Class)class;
- (instancetype)init;
- (void)dealloc;
- (id)copy;
@end
@protocol NSFastEnumeration
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state objects:(id __unsafe_unretained[])buffer count:(NSUInteger)length;
@end
@protocol NSCopying
@end

typedef NSUInteger NSStringEncoding;
enum : NSStringEncoding { NSUTF8StringEncoding = 4 };
@interface NSData : NSObject
@property(readonly) NSUInteger length;
@property(readonly) const void *bytes;
+ (instancetype)dataWithBytes:(const void *)bytes length:(NSUInteger)length;
@end
@interface NSMutableData : NSData
@property(readonly) void *mutableBytes;
+ (instancetype)dataWithLength:(NSUInteger)length;
@end
@interface NSString : NSObject <NSCopying>
@property(readonly) NSUInteger length;
- (instancetype)initWithData:(NSData *)data encoding:(NSStringEncoding)encoding;
- (instancetype)initWithBytes:(const void *)bytes length:(NSUInteger)length encoding:(NSStringEncoding)encoding;
+ (instancetype)stringWithFormat:(NSString *)format, ... __attribute__((format(__NSString__, 1, 2)));
- (NSData *)dataUsingEncoding:(NSStringEncoding)encoding;
- (NSString *)substringWithRange:(NSRange)range;
@end
@interface NSConstantString : NSString
@end
@interface NSNumber : NSObject <NSCopying>
+ (NSNumber *)numberWithUnsignedInt:(unsigned)value;
@property(readonly) unsigned unsignedIntValue;
@end
@interface NSNull : NSObject
@property(class, readonly) NSNull *null;
@end
@interface NSArray<ObjectType> : NSObject <NSFastEnumeration>
+ (instancetype)arrayWithObjects:(const ObjectType[])objects count:(NSUInteger)count;
- (ObjectType)objectAtIndexedSubscript:(NSUInteger)index;
@property(readonly) NSUInteger count;
@end
@interface NSDictionary<KeyType, ObjectType> : NSObject <NSCopying>
+ (instancetype)dictionaryWithObjects:(const ObjectType[])objects forKeys:(const id<NSCopying>[])keys count:(NSUInteger)count;
- (ObjectType)objectForKeyedSubscript:(KeyType)key;
- (NSArray<ObjectType> *)objectsForKeys:(NSArray<KeyType> *)keys notFoundMarker:(id)marker;
- (void)enumerateKeysAndObjectsUsingBlock:(void (^)(KeyType key, ObjectType object, BOOL *stop))block;
@property(readonly) NSUInteger count;
@property(readonly) NSArray<KeyType> *allKeys;
@property(readonly) NSArray<ObjectType> *allValues;
- (NSDictionary<KeyType, ObjectType> *)copy;
@end
@interface NSMutableDictionary<KeyType, ObjectType> : NSDictionary<KeyType, ObjectType>
+ (instancetype)dictionary;
- (void)setObject:(ObjectType)object forKeyedSubscript:(KeyType)key;
- (void)removeObjectForKey:(KeyType)key;
- (void)removeObjectsForKeys:(NSArray<KeyType> *)keys;
@end
@interface NSSet<ObjectType> : NSObject
+ (instancetype)set;
@property(readonly) NSUInteger count;
@property(readonly) NSArray<ObjectType> *allObjects;
@end
@interface NSMutableSet<ObjectType> : NSSet<ObjectType>
- (void)addObject:(ObjectType)object;
- (void)removeObject:(ObjectType)object;
@end
@interface NSError : NSObject
@property(readonly) NSString *localizedDescription;
@end
@interface NSJSONSerialization : NSObject
+ (id)JSONObjectWithData:(NSData *)data options:(NSUInteger)options error:(NSError **)error;
+ (NSData *)dataWithJSONObject:(id)object options:(NSUInteger)options error:(NSError **)error;
@end
@interface NSProcessInfo : NSObject
@property(class, readonly) NSProcessInfo *processInfo;
@property(readonly) NSTimeInterval systemUptime;
@end

@interface NSXPCInterface : NSObject
+ (NSXPCInterface *)interfaceWithProtocol:(Protocol *)protocol;
@end
@interface NSXPCConnection : NSObject
- (instancetype)initWithMachServiceName:(NSString *)name options:(NSUInteger)options;
@property(retain) NSXPCInterface *exportedInterface;
@property(retain) id exportedObject;
@property(retain) NSXPCInterface *remoteObjectInterface;
@property(copy) void (^interruptionHandler)(void);
@property(copy) void (^invalidationHandler)(void);
@property(readonly) pid_t processIdentifier;
@property(readonly) uid_t effectiveUserIdentifier;
- (id)remoteObjectProxyWithErrorHandler:(void (^)(NSError *error))handler;
- (void)resume;
- (void)invalidate;
@end
@protocol NSXPCListenerDelegate <NSObject>
- (BOOL)listener:(NSXPCListener *)listener shouldAcceptNewConnection:(NSXPCConnection *)connection;
@end
@interface NSXPCListener : NSObject
- (instancetype)initWithMachServiceName:(NSString *)name;
@property(weak) id<NSXPCListenerDelegate> delegate;
- (void)setConnectionCodeSigningRequirement:(NSString *)requirement;
- (void)resume;
- (void)invalidate;
@end
