#import "service.h"

// Once, whichever comes first: the answer, an error, the end of the connection, or the time limit.
void CHPRequest(NSString *service, NSString *text, int64_t timeoutMs, void (^done)(NSString *, NSString *)) {
  NSXPCConnection *connection = [[NSXPCConnection alloc] initWithMachServiceName:service options:0];
  connection.remoteObjectInterface = [NSXPCInterface interfaceWithProtocol:@protocol(CHPDesktopBridge)];
  __block BOOL over = NO;
  void (^finish)(NSString *, NSString *) = ^(NSString *answer, NSString *problem) {
    @synchronized(connection) {
      if (over) return;
      over = YES;
    }
    done(answer, problem);
    [connection invalidate];
  };
  connection.invalidationHandler = ^{
    finish(nil, @"invalid");
  };
  [connection resume];
  id<CHPDesktopBridge> bridge = [connection remoteObjectProxyWithErrorHandler:^(NSError *error) {
    finish(nil, error.localizedDescription);
  }];
  [bridge sendMessage:text
                reply:^(NSString *answer) {
                  finish(answer, nil);
                }];
  dispatch_time_t when = dispatch_time(DISPATCH_TIME_NOW, timeoutMs * (int64_t)NSEC_PER_MSEC);
  dispatch_after(when, dispatch_get_global_queue(QOS_CLASS_DEFAULT, 0), ^{
    finish(nil, @"timeout");
  });
}
