/* Preloaded into the server: adds FLUSH_MICROSECONDS to each flush, as a real disk would. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static void wait_for_disk(void) {
  char *text = getenv("FLUSH_MICROSECONDS");
  long us = text ? atol(text) : 0;
  struct timespec span = {us / 1000000, (us % 1000000) * 1000};
  if (us > 0) nanosleep(&span, 0);
}

int fdatasync(int file) {
  static int (*real)(int);
  if (!real) real = dlsym(RTLD_NEXT, "fdatasync");
  int result = real(file);
  wait_for_disk();
  return result;
}

int fsync(int file) {
  static int (*real)(int);
  if (!real) real = dlsym(RTLD_NEXT, "fsync");
  int result = real(file);
  wait_for_disk();
  return result;
}
