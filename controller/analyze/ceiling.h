/* SPDX-License-Identifier: Apache-2.0 */
/* What the declared links can carry of payload, by arithmetic. */
#ifndef VOLLEY_ANALYZE_CEILING_H
#define VOLLEY_ANALYZE_CEILING_H

#include "controller/analyze/model.h"

/*
 * Payload bytes/s of links, one direction.  Each Ethernet frame costs 38 bytes beside
 * its MTU (preamble 8, header 14, FCS 4, gap 12).  TCP over IPv4 with time stamps: MTU
 * − 52 of payload in MTU + 38.  RoCEv2: the largest path MTU of 256 … 4096 that fits,
 * with 82 bytes around each (38, IP 20, UDP 8, BTH 12, ICRC 4).  NAN for links or
 * transports that are not known; an unknown MTU counts as 9000.
 */
double ceiling_payload(const char *transport, const struct plan_links *links);
/* Of a cell: the least of n × client links, the storage's links and, when measured,
 * n × the line rate of one client.  NAN: nothing is known. */
double ceiling_of(const struct cell *cell);
/* Is it the measured line rate, and no declaration? */
bool ceiling_is_measured(const struct cell *cell);
/* Rate / ceiling; NAN unknown. */
double ceiling_share(const struct cell *cell);

#endif
