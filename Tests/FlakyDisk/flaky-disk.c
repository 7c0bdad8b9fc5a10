// A file system in user space that loses power.
//
//   flaky-disk <folder> <mount point>
//
// Files are those of the folder. What is written to them stays in memory until it is synced, as in
// the caches of a system and of a disk. On the signal USR1 power is lost: of each 512 bytes that
// were written since, some have reached the disk and others have not, and a file may be as long as
// it was or as it would be. Then the process ends.
//
// While there is a file with the name "broken", nothing can be synced.
//
// Names are on the disk at once; that is not what this is about.

#define FUSE_USE_VERSION 31
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse3/fuse.h>
#include <fuse3/fuse_lowlevel.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { sector = 512, most_files = 64 };

struct file {
  char path[PATH_MAX];
  char *bytes;
  size_t length;
  int is_dirty;
};

static char folder[PATH_MAX];
static struct file files[most_files];

static void locate(char *full, const char *path) {
  if (snprintf(full, PATH_MAX, "%s%s", folder, path) >= PATH_MAX) abort();
}

static struct file *known(const char *path) {
  for (int place = 0; place < most_files; place++)
    if (files[place].path[0] != 0 && strcmp(files[place].path, path) == 0) return &files[place];
  return NULL;
}

// The file as it is in memory, read from the disk the first time.
static struct file *cached(const char *path) {
  struct file *file = known(path);
  if (file != NULL) return file;
  char full[PATH_MAX];
  locate(full, path);
  int disk = open(full, O_RDONLY | O_CLOEXEC);
  if (disk < 0) return NULL;
  for (int place = 0; place < most_files && file == NULL; place++)
    if (files[place].path[0] == 0) file = &files[place];
  if (file == NULL) abort();
  struct stat status;
  if (fstat(disk, &status) != 0) abort();
  strncpy(file->path, path, PATH_MAX - 1);
  file->length = (size_t)status.st_size;
  file->bytes = malloc(file->length + 1);
  if (file->bytes == NULL) abort();
  if (pread(disk, file->bytes, file->length, 0) != (ssize_t)file->length) abort();
  file->is_dirty = 0;
  close(disk);
  return file;
}

static void forget(struct file *file) {
  if (file == NULL) return;
  free(file->bytes);
  memset(file, 0, sizeof *file);
}

static int resize(struct file *file, size_t length) {
  if (length > file->length) {
    char *bytes = realloc(file->bytes, length);
    if (bytes == NULL) return -ENOMEM;
    memset(bytes + file->length, 0, length - file->length);
    file->bytes = bytes;
  }
  file->length = length;
  file->is_dirty = 1;
  return 0;
}

static int store(const char *path, const char *bytes, size_t length) {
  char full[PATH_MAX];
  locate(full, path);
  int disk = open(full, O_WRONLY | O_CLOEXEC);
  if (disk < 0) return -errno;
  int isStored = ftruncate(disk, (off_t)length) == 0
                 && pwrite(disk, bytes, length, 0) == (ssize_t)length;
  close(disk);
  return isStored ? 0 : -EIO;
}

// What of a file has reached the disk when power is lost.
static void lose(struct file *file) {
  char full[PATH_MAX];
  locate(full, file->path);
  int disk = open(full, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (disk < 0 || fstat(disk, &status) != 0) return;
  size_t old = (size_t)status.st_size;
  size_t length = rand() % 2 == 0 ? old : file->length;
  char *bytes = calloc(length + 1, 1);
  if (bytes == NULL) abort();
  size_t both = old < length ? old : length;
  if (pread(disk, bytes, both, 0) != (ssize_t)both) abort();
  close(disk);
  for (size_t start = 0; start < length; start += sector) {
    size_t end = start + sector < length ? start + sector : length;
    if (end > file->length) end = file->length;
    if (start < end && rand() % 2 == 0) memcpy(bytes + start, file->bytes + start, end - start);
  }
  store(file->path, bytes, length);
}

// One thread serves all calls and takes the signal between two of them: see main.
static volatile sig_atomic_t is_power_lost;

static void power_lost(int number) {
  (void)number;
  is_power_lost = 1;
}

static void look_at_power(void) {
  if (!is_power_lost) return;
  for (int place = 0; place < most_files; place++)
    if (files[place].path[0] != 0 && files[place].is_dirty) lose(&files[place]);
  _exit(0);
}

// MARK: What the system calls

static int do_getattr(const char *path, struct stat *status, struct fuse_file_info *info) {
  (void)info;
  char full[PATH_MAX];
  locate(full, path);
  if (lstat(full, status) != 0) return -errno;
  struct file *file = known(path);
  if (file != NULL) status->st_size = (off_t)file->length;
  return 0;
}

static int do_readdir(
    const char *path, void *buffer, fuse_fill_dir_t fill, off_t offset,
    struct fuse_file_info *info, enum fuse_readdir_flags flags) {
  (void)offset, (void)info, (void)flags;
  char full[PATH_MAX];
  locate(full, path);
  DIR *names = opendir(full);
  if (names == NULL) return -errno;
  for (struct dirent *entry = readdir(names); entry != NULL; entry = readdir(names))
    fill(buffer, entry->d_name, NULL, 0, 0);
  closedir(names);
  return 0;
}

static int do_create(const char *path, mode_t mode, struct fuse_file_info *info) {
  (void)info;
  char full[PATH_MAX];
  locate(full, path);
  int disk = open(full, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (disk < 0) return -errno;
  close(disk);
  return cached(path) == NULL ? -EIO : 0;
}

static int do_open(const char *path, struct fuse_file_info *info) {
  (void)info;
  return cached(path) == NULL ? -ENOENT : 0;
}

static int do_read(
    const char *path, char *bytes, size_t count, off_t offset, struct fuse_file_info *info) {
  (void)info;
  struct file *file = cached(path);
  if (file == NULL) return -ENOENT;
  if ((size_t)offset >= file->length) return 0;
  if (count > file->length - (size_t)offset) count = file->length - (size_t)offset;
  memcpy(bytes, file->bytes + offset, count);
  return (int)count;
}

static int do_write(
    const char *path, const char *bytes, size_t count, off_t offset, struct fuse_file_info *info) {
  (void)info;
  struct file *file = cached(path);
  if (file == NULL) return -ENOENT;
  if ((size_t)offset + count > file->length) {
    int problem = resize(file, (size_t)offset + count);
    if (problem != 0) return problem;
  }
  memcpy(file->bytes + offset, bytes, count);
  file->is_dirty = 1;
  return (int)count;
}

static int do_truncate(const char *path, off_t length, struct fuse_file_info *info) {
  (void)info;
  struct file *file = cached(path);
  return file == NULL ? -ENOENT : resize(file, (size_t)length);
}

static int do_fsync(const char *path, int isDataOnly, struct fuse_file_info *info) {
  (void)isDataOnly, (void)info;
  char broken[PATH_MAX];
  locate(broken, "/broken");
  if (access(broken, F_OK) == 0) return -EIO;
  struct file *file = cached(path);
  if (file == NULL) return -ENOENT;
  int problem = store(path, file->bytes, file->length);
  if (problem == 0) file->is_dirty = 0;
  return problem;
}

static int do_fsyncdir(const char *path, int isDataOnly, struct fuse_file_info *info) {
  (void)path, (void)isDataOnly, (void)info;
  return 0;
}

static int do_unlink(const char *path) {
  char full[PATH_MAX];
  locate(full, path);
  forget(known(path));
  return unlink(full) == 0 ? 0 : -errno;
}

static int do_rename(const char *from, const char *to, unsigned int flags) {
  char old[PATH_MAX], new[PATH_MAX];
  if (flags != 0) return -EINVAL;
  locate(old, from);
  locate(new, to);
  if (rename(old, new) != 0) return -errno;
  forget(known(to));
  struct file *file = known(from);
  if (file != NULL) strncpy(file->path, to, PATH_MAX - 1);
  return 0;
}

static void *do_init(struct fuse_conn_info *connection, struct fuse_config *config) {
  (void)connection;
  // Every look is one at what is there now.
  config->attr_timeout = 0;
  config->entry_timeout = 0;
  config->negative_timeout = 0;
  config->direct_io = 1;
  return NULL;
}

static const struct fuse_operations operations = {
    .init = do_init,
    .getattr = do_getattr,
    .readdir = do_readdir,
    .create = do_create,
    .open = do_open,
    .read = do_read,
    .write = do_write,
    .truncate = do_truncate,
    .fsync = do_fsync,
    .fsyncdir = do_fsyncdir,
    .unlink = do_unlink,
    .rename = do_rename,
};

int main(int count, char **words) {
  if (count != 3 || realpath(words[1], folder) == NULL) {
    fputs("usage: flaky-disk <folder> <mount point>\n", stderr);
    return 2;
  }
  srand((unsigned)time(NULL) ^ (unsigned)getpid());
  struct sigaction action = {.sa_handler = power_lost};
  sigaction(SIGUSR1, &action, NULL);
  // It comes only while nothing is done but to wait.
  sigset_t blocked, waiting;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  sigprocmask(SIG_BLOCK, &blocked, &waiting);
  // Whoever has started this may have had it blocked.
  sigdelset(&waiting, SIGUSR1);

  char *options[] = {words[0], NULL};
  struct fuse_args arguments = FUSE_ARGS_INIT(1, options);
  struct fuse *fuse = fuse_new(&arguments, &operations, sizeof operations, NULL);
  if (fuse == NULL || fuse_mount(fuse, words[2]) != 0) return 1;
  puts("mounted");
  fflush(stdout);
  struct fuse_session *session = fuse_get_session(fuse);
  struct fuse_buf buffer = {.mem = NULL};
  while (!fuse_session_exited(session)) {
    struct pollfd call = {.fd = fuse_session_fd(session), .events = POLLIN};
    int isThere = ppoll(&call, 1, NULL, &waiting);
    look_at_power();
    if (isThere < 0) continue;
    int length = fuse_session_receive_buf(session, &buffer);
    if (length == -EINTR) continue;
    if (length <= 0) break;
    fuse_session_process_buf(session, &buffer);
  }
  fuse_unmount(fuse);
  return 0;
}
