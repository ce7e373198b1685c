/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unread.h - notes about the lines of an event log that have the shape of an allocation or a free
 * but were not counted. An account without such lines does not have these notes.
 */
#ifndef KMA_MODEL_UNREAD_H
#define KMA_MODEL_UNREAD_H

#define KMA_NOTE_UNREAD	      "event lines not read"	  /* their number */
#define KMA_NOTE_FIRST_UNREAD "first event line not read" /* number of the first line, from 1 */

#endif /* KMA_MODEL_UNREAD_H */
