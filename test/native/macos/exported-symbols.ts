/** What SDK 27 lists as exported (HIServices.tbd, libobjc.A.tbd), for the libraries whose lists were read: those names that the tables may use. */
export const EXPORTED = {
  accessibility: [
    'AXIsProcessTrusted', 'AXIsProcessTrustedWithOptions', 'AXObserverAddNotification', 'AXObserverCreate', 'AXObserverGetRunLoopSource',
    'AXObserverRemoveNotification', 'AXUIElementCopyActionNames', 'AXUIElementCopyAttributeNames', 'AXUIElementCopyAttributeValue',
    'AXUIElementCopyAttributeValues', 'AXUIElementCopyElementAtPosition', 'AXUIElementCopyHierarchy', 'AXUIElementCopyMultipleAttributeValues',
    'AXUIElementCopyParameterizedAttributeNames', 'AXUIElementCopyParameterizedAttributeValue', 'AXUIElementCreateApplication',
    'AXUIElementCreateSystemWide', 'AXUIElementGetAttributeValueCount', 'AXUIElementGetPid', 'AXUIElementGetTypeID', 'AXUIElementIsAttributeSettable',
    'AXUIElementPerformAction', 'AXUIElementPostKeyboardEvent', 'AXUIElementSetAttributeValue', 'AXUIElementSetMessagingTimeout',
    'AXValueCreate', 'AXValueGetType', 'AXValueGetTypeID', 'AXValueGetValue', '_AXUIElementGetWindow', '_AXUIElementCreateWithRemoteToken',
  ],
  objectiveC: [
    'objc_getClass', 'sel_registerName', 'objc_autoreleasePoolPush', 'objc_autoreleasePoolPop', 'objc_msgSend', 'objc_retain', 'objc_release',
    'objc_allocateClassPair', 'objc_registerClassPair', 'class_addMethod',
  ],
} as const; // prettier-ignore
