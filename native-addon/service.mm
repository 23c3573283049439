#import "service.h"
#import <Security/Security.h>
#import <mach/message.h>
#import <unistd.h>

static const int64_t LONGEST_PAUSE_MS = 5000;

// Declared by no public header. Looked for before it is called; without it nobody is served, because a bare pid can be another's by now.
@interface NSXPCConnection (CHPAuditToken)
@property(nonatomic, readonly) audit_token_t auditToken;
@end

static NSData *tokenOf(NSXPCConnection *connection) {
  if (![connection respondsToSelector:@selector(auditToken)]) return nil;
  audit_token_t token = connection.auditToken;
  return [NSData dataWithBytes:&token length:sizeof token];
}

// The token names one run of one program: the system knows no code for it once that run is over.
static BOOL isRunning(NSData *token) {
  NSDictionary *named = @{(__bridge NSString *)kSecGuestAttributeAudit : token};
  SecCodeRef code = nullptr;
  OSStatus status = SecCodeCopyGuestWithAttributes(nullptr, (__bridge CFDictionaryRef)named, kSecCSDefaultFlags, &code);
  if (code != nullptr) CFRelease(code);
  return status == errSecSuccess;
}

// A malformed requirement would raise an exception where it is set.
static BOOL isRequirement(NSString *text) {
  SecRequirementRef requirement = nullptr;
  OSStatus status = SecRequirementCreateWithString((__bridge CFStringRef)text, kSecCSDefaultFlags, &requirement);
  if (requirement != nullptr) CFRelease(requirement);
  return status == errSecSuccess;
}

static void after(int64_t ms, dispatch_block_t block) {
  dispatch_time_t when = dispatch_time(DISPATCH_TIME_NOW, ms * (int64_t)NSEC_PER_MSEC);
  dispatch_after(when, dispatch_get_global_queue(QOS_CLASS_DEFAULT, 0), block);
}

// The id of a request as JSON, so that a failure can name it.
static NSString *idOf(NSData *message) {
  id parsed = message == nil ? nil : [NSJSONSerialization JSONObjectWithData:message options:0 error:nil];
  id found = [parsed isKindOfClass:[NSDictionary class]] ? parsed[@"id"] : nil;
  if (![found isKindOfClass:[NSString class]] && ![found isKindOfClass:[NSNumber class]]) return @"null";
  NSData *written = [NSJSONSerialization dataWithJSONObject:@[ found ] options:0 error:nil];
  NSString *list = written == nil ? nil : [[NSString alloc] initWithData:written encoding:NSUTF8StringEncoding];
  return list.length < 3 ? @"null" : [list substringWithRange:NSMakeRange(1, list.length - 2)];
}

static NSString *failure(NSString *requestId, NSString *error) {
  return [NSString stringWithFormat:@"{\"jsonrpc\":\"2.0\",\"id\":%@,\"error\":%@}", requestId, error];
}

@implementation CHPReply {
  void (^_block)(NSString *);
  NSString *_fallback;
  NSTimeInterval _began;
  BOOL _taken;
}
- (instancetype)initWithBlock:(void (^)(NSString *))block fallback:(NSString *)fallback {
  if ((self = [super init])) {
    _block = [block copy];
    _fallback = [fallback copy];
    _began = NSProcessInfo.processInfo.systemUptime;
  }
  return self;
}
- (BOOL)send:(NSString *)text {
  void (^block)(NSString *) = nil;
  @synchronized(self) {
    block = _block;
    _block = nil;
  }
  if (block == nil) return NO;
  block(text);
  return YES;
}
- (BOOL)take {
  @synchronized(self) {
    _taken = YES;
    return _block != nil;
  }
}
- (BOOL)expireUntaken {
  // Within the lock, so that JavaScript cannot take it between the look and the answer.
  @synchronized(self) {
    return !_taken && [self send:_fallback];
  }
}
- (BOOL)expire {
  return [self send:_fallback];
}
- (int64_t)ageMs {
  return (int64_t)((NSProcessInfo.processInfo.systemUptime - _began) * 1000);
}
- (void)dealloc {
  if (_block != nil) _block(_fallback);
}
@end

@implementation CHPEvent
@end

@implementation CHPOptions
@end

// One connection, and the object that its peer calls.
@interface CHPPeer : NSObject <CHPDesktopBridge>
@property(nonatomic) uint32_t number;
@property(nonatomic) NSXPCConnection *connection;
@property(nonatomic) NSData *token;
@property(nonatomic, weak) CHPService *service;
@property(nonatomic) NSMutableSet<NSNumber *> *calls;
@end

@interface CHPService ()
- (void)receive:(NSString *)message from:(CHPPeer *)peer reply:(void (^)(NSString *))reply;
@end

@implementation CHPPeer
- (void)sendMessage:(NSString *)message reply:(void (^)(NSString *))reply {
  // Once the service is gone the peer sees the connection end.
  [self.service receive:message from:self reply:reply];
}
@end

@implementation CHPService {
  CHPOptions *_options;
  void (^_onEvent)(CHPEvent *);
  NSXPCListener *_listener;
  NSMutableDictionary<NSNumber *, CHPPeer *> *_peers;
  NSMutableDictionary<NSNumber *, CHPReply *> *_replies;
  uint32_t _lastNumber;
  BOOL _closed;
}

- (instancetype)initWithOptions:(CHPOptions *)options onEvent:(void (^)(CHPEvent *))onEvent {
  if ((self = [super init])) {
    _options = options;
    _onEvent = [onEvent copy];
    _peers = [NSMutableDictionary dictionary];
    _replies = [NSMutableDictionary dictionary];
  }
  return self;
}

- (BOOL)listen {
  if (_options.requirement != nil && !isRequirement(_options.requirement)) return NO;
  _listener = [[NSXPCListener alloc] initWithMachServiceName:_options.service];
  _listener.delegate = self;
  if (_options.requirement != nil) [_listener setConnectionCodeSigningRequirement:_options.requirement];
  [_listener resume];
  [self endLate];
  return YES;
}

- (BOOL)listener:(NSXPCListener *)listener shouldAcceptNewConnection:(NSXPCConnection *)connection {
  NSData *token = tokenOf(connection);
  if (listener != _listener || token == nil || connection.effectiveUserIdentifier != geteuid()) return NO;
  CHPPeer *peer = [[CHPPeer alloc] init];
  peer.connection = connection;
  peer.token = token;
  peer.service = self;
  peer.calls = [NSMutableSet set];
  @synchronized(self) {
    if (_closed || _peers.count >= _options.maxConnections) return NO;
    peer.number = ++_lastNumber;
    _peers[@(peer.number)] = peer;
  }
  uint32_t number = peer.number;
  __weak CHPService *service = self;
  connection.exportedInterface = [NSXPCInterface interfaceWithProtocol:@protocol(CHPDesktopBridge)];
  connection.exportedObject = peer;
  connection.invalidationHandler = ^{
    [service drop:number];
  };
  connection.interruptionHandler = ^{
    [service drop:number];
  };
  CHPEvent *event = [self event:CHPConnected of:peer];
  event.pid = connection.processIdentifier;
  event.uid = connection.effectiveUserIdentifier;
  event.token = token;
  _onEvent(event);
  [connection resume];
  return YES;
}

- (CHPEvent *)event:(CHPEventKind)kind of:(CHPPeer *)peer {
  CHPEvent *event = [[CHPEvent alloc] init];
  event.kind = kind;
  event.connection = peer.number;
  return event;
}

- (void)receive:(NSString *)message from:(CHPPeer *)peer reply:(void (^)(NSString *))reply {
  // No more bytes than units are looked at, so that a message without end costs nothing.
  BOOL large = message.length > _options.maxBytes;
  NSData *text = large ? nil : [message dataUsingEncoding:NSUTF8StringEncoding];
  large = large || text.length > _options.maxBytes;
  NSString *requestId = large ? @"null" : idOf(text);
  CHPReply *answer = [[CHPReply alloc] initWithBlock:reply fallback:failure(requestId, _options.unanswered)];
  if (large) return (void)[answer send:failure(@"null", _options.tooLarge)];
  if (text == nil) return (void)[answer send:failure(@"null", _options.unreadable)];
  // The token is that of the message at hand: another process may have been given this connection.
  if (![tokenOf(peer.connection) isEqual:peer.token]) {
    [answer send:failure(requestId, _options.closed)];
    return [self drop:peer.number];
  }
  uint32_t call = [self admit:answer from:peer];
  if (call == 0) return (void)[answer send:failure(requestId, _options.busy)];
  CHPEvent *event = [self event:CHPMessage of:peer];
  event.call = call;
  event.text = text;
  event.reply = answer;
  _onEvent(event);
}

// 0 where there are too many, or the connection has ended.
- (uint32_t)admit:(CHPReply *)answer from:(CHPPeer *)peer {
  @synchronized(self) {
    if (_closed || _peers[@(peer.number)] == nil || peer.calls.count >= _options.maxCalls) return 0;
    uint32_t call = ++_lastNumber;
    _replies[@(call)] = answer;
    [peer.calls addObject:@(call)];
    return call;
  }
}

// JavaScript must take a message soon, and answer it at some time.
- (void)endLate {
  NSDictionary<NSNumber *, CHPReply *> *open = nil;
  @synchronized(self) {
    if (_closed) return;
    open = [_replies copy];
  }
  [open enumerateKeysAndObjectsUsingBlock:^(NSNumber *call, CHPReply *answer, BOOL *) {
    int64_t ms = answer.ageMs;
    if (ms > self->_options.takeMs && [answer expireUntaken]) [self reply:call.unsignedIntValue text:@""];
    if (ms > self->_options.answerMs && [answer expire]) [self reply:call.unsignedIntValue text:@""];
  }];
  __weak CHPService *service = self;
  after(MIN(_options.takeMs, LONGEST_PAUSE_MS), ^{
    [service endLate];
  });
}

- (BOOL)reply:(uint32_t)call text:(NSString *)text {
  CHPReply *answer = nil;
  @synchronized(self) {
    answer = _replies[@(call)];
    [_replies removeObjectForKey:@(call)];
    for (CHPPeer *peer in _peers.allValues) [peer.calls removeObject:@(call)];
  }
  return answer != nil && [answer send:text];
}

- (BOOL)isSame:(uint32_t)connection {
  CHPPeer *peer = nil;
  @synchronized(self) {
    peer = _peers[@(connection)];
  }
  return peer != nil && isRunning(peer.token);
}

- (void)drop:(uint32_t)connection {
  CHPPeer *peer = nil;
  NSArray<CHPReply *> *open = nil;
  @synchronized(self) {
    peer = _peers[@(connection)];
    if (peer == nil) return;
    [_peers removeObjectForKey:@(connection)];
    open = [_replies objectsForKeys:peer.calls.allObjects notFoundMarker:[NSNull null]];
    [_replies removeObjectsForKeys:peer.calls.allObjects];
  }
  for (id answer in open)
    if ([answer isKindOfClass:[CHPReply class]]) [answer send:failure(@"null", _options.closed)];
  [peer.connection invalidate];
  peer.connection = nil;
  _onEvent([self event:CHPClosed of:peer]);
}

- (void)close {
  NSArray<NSNumber *> *open = nil;
  @synchronized(self) {
    if (_closed) return;
    _closed = YES;
    open = _peers.allKeys;
  }
  [_listener invalidate];
  for (NSNumber *connection in open) [self drop:connection.unsignedIntValue];
}

- (void)dealloc {
  [_listener invalidate];
}
@end
