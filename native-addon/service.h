// The Mach service of the desktop bridge: connections and messages in, one reply for each message out. Knows nothing of JavaScript.
#import <Foundation/Foundation.h>

// NSXPCInterface reads the argument types that clang writes for a protocol, so this one cannot be made at run time.
@protocol CHPDesktopBridge
- (void)sendMessage:(NSString *)message reply:(void (^)(NSString *))reply;
@end

typedef NS_ENUM(NSInteger, CHPEventKind) { CHPConnected, CHPMessage, CHPClosed };

// The reply of one message. It is given once: by `send:`, as the fallback at a time limit, or when nobody holds it any more.
@interface CHPReply : NSObject
- (instancetype)initWithBlock:(void (^)(NSString *))block fallback:(NSString *)fallback;
// NO where it was given before.
- (BOOL)send:(NSString *)text;
// Marks it as handed to JavaScript; NO where it was given before, so that nothing may be run for it.
- (BOOL)take;
// Send the fallback; NO where a reply was given before, or where it was taken.
- (BOOL)expireUntaken;
- (BOOL)expire;
- (int64_t)ageMs;
@end

@interface CHPEvent : NSObject
@property(nonatomic) CHPEventKind kind;
@property(nonatomic) uint32_t connection;
@property(nonatomic) uint32_t call;
@property(nonatomic) pid_t pid;
@property(nonatomic) uid_t uid;
@property(nonatomic) NSData *token;
// UTF-8.
@property(nonatomic) NSData *text;
@property(nonatomic) CHPReply *reply;
@end

// The five errors are JSON-RPC error objects, ready to be sent.
@interface CHPOptions : NSObject
@property(nonatomic, copy) NSString *service;
@property(nonatomic, copy) NSString *requirement;
@property(nonatomic) NSUInteger maxBytes;
@property(nonatomic) NSUInteger maxConnections;
@property(nonatomic) NSUInteger maxCalls;
@property(nonatomic) int64_t takeMs;
@property(nonatomic) int64_t answerMs;
@property(nonatomic, copy) NSString *tooLarge;
@property(nonatomic, copy) NSString *unreadable;
@property(nonatomic, copy) NSString *busy;
@property(nonatomic, copy) NSString *unanswered;
@property(nonatomic, copy) NSString *closed;
@end

@interface CHPService : NSObject <NSXPCListenerDelegate>
// `onEvent` is called on private queues, in order for each connection.
- (instancetype)initWithOptions:(CHPOptions *)options onEvent:(void (^)(CHPEvent *))onEvent;
// NO where the code-signing requirement cannot be read; nothing listens then.
- (BOOL)listen;
- (BOOL)reply:(uint32_t)call text:(NSString *)text;
// NO once the process that connected has ended or runs another program.
- (BOOL)isSame:(uint32_t)connection;
- (void)drop:(uint32_t)connection;
- (void)close;
@end

// Sends one message to a service of that name. `done` is called once, on a private queue; the text is nil where none came.
void CHPRequest(NSString *service, NSString *text, int64_t timeoutMs, void (^done)(NSString *text, NSString *problem));
