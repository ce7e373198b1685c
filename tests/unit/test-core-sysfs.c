// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-sysfs.c - reads a binary file of sysfs in a kernel in which a file has one of two
 * functions: the other one is NULL, and the notes of v6.14 to v6.16 have the new one.
 */
#include "ktap.h"
#include "shim.h"

struct file;

struct kobject {
	char unused;
};

struct bin_attribute {
	ssize_t (*read)(struct file *file, struct kobject *kobj, struct bin_attribute *attr,
			char *buf, loff_t pos, size_t size);
	ssize_t (*read_new)(struct file *file, struct kobject *kobj,
			    const struct bin_attribute *attr, char *buf, loff_t pos, size_t size);
};

#define KMA_BIN_READ_NEW
#include "compat/sysfs.h"

static struct kobject folder;

static ssize_t fill(const struct kobject *kobj, char *buf, loff_t pos, size_t size, char with)
{
	EXPECT(kobj == &folder);
	EXPECT(!pos);
	memset(buf, with, size);
	return size;
}

static ssize_t old(struct file *file, struct kobject *kobj, struct bin_attribute *attr,
		   char *buf, loff_t pos, size_t size)
{
	return fill(kobj, buf, pos, size, 'o');
}

static ssize_t new(struct file *file, struct kobject *kobj, const struct bin_attribute *attr,
		   char *buf, loff_t pos, size_t size)
{
	return fill(kobj, buf, pos, size, 'n');
}

TEST(the_function_that_the_file_has)
{
	struct bin_attribute file = { .read = old };
	char buf[4] = "";

	EXPECT_EQ(kma_sysfs_read(&folder, &file, buf, 3), 3);
	EXPECT_STR(buf, "ooo");
	file = (struct bin_attribute){ .read_new = new };
	EXPECT_EQ(kma_sysfs_read(&folder, &file, buf, 3), 3);
	EXPECT_STR(buf, "nnn");
}

TEST_MAIN()
