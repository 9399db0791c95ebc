/* Sockets: addresses, and messages over a connection. */
#include "protocol/dxp_link.h"

#include "search/clock.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 8, GAP = 110 /* ms between two messages */, HOST_SIZE = 256 };

/* ---- Addresses ---- */

static int fail(ParseError *error, const char *address, const char *reason) {
    char quote[VIEW_QUOTE_SIZE];

    view_quote(view_of(address), quote);
    snprintf(error->text, sizeof error->text, "%s: %s", quote, reason);
    return -1;
}

/* Splits "[HOST:]PORT"; the brackets of an IPv6 address are taken off. False if it makes no sense. */
static bool split(const char *address, char host[static HOST_SIZE], const char **port) {
    const char *colon = strrchr(address, ':');
    View name = {address, colon != NULL ? (size_t)(colon - address) : 0};
    uint64_t number;

    *port = colon != NULL ? colon + 1 : address;
    if (name.length >= 2 && name.start[0] == '[' && name.start[name.length - 1] == ']') {
        name = (View){name.start + 1, name.length - 2};
    }
    if (name.length >= HOST_SIZE || !view_digits(view_of(*port), &number) || number > UINT16_MAX ||
        (colon != NULL && name.length == 0)) {
        return false;
    }
    memcpy(host, name.start, name.length);
    host[name.length] = '\0';
    return true;
}

static void address_write(const struct sockaddr *address, socklen_t length, char text[DXP_ADDRESS_SIZE]) {
    char host[64];
    char port[8];

    if (getnameinfo(address, length, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV) !=
        0) {
        snprintf(text, DXP_ADDRESS_SIZE, "unknown");
        return;
    }
    snprintf(text, DXP_ADDRESS_SIZE, strchr(host, ':') != NULL ? "[%s]:%s" : "%s:%s", host, port);
}

/* Opens and connects or binds a socket. The descriptor or a negative errno. */
static int try_socket(const struct addrinfo *at, bool connects, int64_t patience) {
    struct timeval timeout = {.tv_sec = patience / 1000, .tv_usec = patience % 1000 * 1000};
    int fd = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol);

    if (fd < 0) {
        return -errno;
    }
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout); /* of connect, too */
    if ((connects ? connect(fd, at->ai_addr, at->ai_addrlen) : bind(fd, at->ai_addr, at->ai_addrlen)) != 0) {
        int error = errno == EINPROGRESS ? -ETIMEDOUT : -errno;
        close(fd);
        return error;
    }
    return fd;
}

/*
 * A socket for the first of an address' meanings that can be bound or connected to. The descriptor, or -1 and
 * one line in error.
 */
static int open_socket(const char *address, bool connects, int64_t patience, ParseError *error) {
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    char host[HOST_SIZE];
    const char *port;
    int fd = -EADDRNOTAVAIL;

    if (!split(address, host, &port) || (connects && host[0] == '\0')) {
        return fail(error, address, connects ? "not HOST:PORT" : "not [HOST:]PORT");
    }
    int status = getaddrinfo(host[0] != '\0' ? host : "127.0.0.1", port, &hints, &found);
    if (status != 0) {
        return fail(error, address, gai_strerror(status));
    }
    for (const struct addrinfo *at = found; at != NULL && fd < 0; at = at->ai_next) {
        fd = try_socket(at, connects, patience);
    }
    freeaddrinfo(found);
    return fd >= 0 ? fd : fail(error, address, strerror(-fd));
}

int dxp_listen(const char *address, char bound[static DXP_ADDRESS_SIZE], ParseError *error) {
    struct sockaddr_storage own = {0};
    socklen_t length = sizeof own;
    int fd = open_socket(address, false, 0, error);

    if (fd < 0) {
        return -1;
    }
    if (listen(fd, BACKLOG) != 0 || getsockname(fd, (struct sockaddr *)&own, &length) != 0) {
        fail(error, address, strerror(errno));
        close(fd);
        return -1;
    }
    address_write((struct sockaddr *)&own, length, bound);
    return fd;
}

/* ---- Connections ---- */

static void link_init(DxpLink *link, int fd, const struct sockaddr_storage *peer, socklen_t length) {
    *link = (DxpLink){.fd = fd};
    address_write((const struct sockaddr *)peer, length, link->peer);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &(int){1}, sizeof(int));
}

int dxp_link_accept(DxpLink *link, int listener) {
    for (;;) {
        struct sockaddr_storage peer = {0};
        socklen_t length = sizeof peer;
        int fd = accept4(listener, (struct sockaddr *)&peer, &length, SOCK_CLOEXEC);
        if (fd >= 0) {
            link_init(link, fd, &peer, length);
            return 0;
        }
        if (errno != EINTR && errno != ECONNABORTED && errno != EPROTO) {
            return -errno;
        }
    }
}

bool dxp_link_connect(DxpLink *link, const char *address, int64_t patience, ParseError *error) {
    struct sockaddr_storage peer = {0};
    socklen_t length = sizeof peer;
    int fd = open_socket(address, true, patience, error);

    if (fd < 0) {
        return false;
    }
    if (getpeername(fd, (struct sockaddr *)&peer, &length) != 0) {
        fail(error, address, strerror(errno));
        close(fd);
        return false;
    }
    link_init(link, fd, &peer, length);
    return true;
}

int dxp_link_send(DxpLink *link, const DxpMessage *message) {
    char bytes[DXP_MESSAGE_MAX + 1];
    size_t length = dxp_write(message, bytes);
    int64_t wait = link->quiet_until - clock_now();

    if (wait > 0) {
        usleep((useconds_t)wait * 1000);
    }
    ssize_t count = send(link->fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
    link->quiet_until = clock_now() + GAP;
    return count < 0 ? -errno : (size_t)count < length ? -EAGAIN : 0;
}

void dxp_link_heard(DxpLink *link) {
    link->quiet_until = 0;
}

int dxp_link_fill(DxpLink *link) {
    size_t room;
    char *bytes = dxp_buffer_room(&link->buffer, &room);
    ssize_t count = recv(link->fd, bytes, room, MSG_DONTWAIT);

    if (count < 0) {
        return errno == EINTR ? -EAGAIN : -errno;
    }
    dxp_buffer_add(&link->buffer, (size_t)count);
    return (int)count;
}

void dxp_link_shut(DxpLink *link) {
    shutdown(link->fd, SHUT_WR);
}

void dxp_link_close(DxpLink *link, int64_t patience) {
    int64_t end = clock_now() + patience;
    char bytes[1024];
    int64_t left;

    while ((left = end - clock_now()) > 0) {
        struct pollfd descriptor = {.fd = link->fd, .events = POLLIN};
        if (poll(&descriptor, 1, (int)left) > 0 && recv(link->fd, bytes, sizeof bytes, MSG_DONTWAIT) <= 0) {
            break;
        }
    }
    close(link->fd);
    link->fd = -1;
}
