#pragma once
extern "C" unsigned geteuid(void);
