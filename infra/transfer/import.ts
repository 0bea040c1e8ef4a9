import { Readable } from 'node:stream';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { Upload } from '@aws-sdk/lib-storage';
import { CommandRefusal } from '../../shared/command-line/reason.ts';
import { s3 } from '../../shared/files/client.ts';
import { sqs } from '../../shared/queue/client.ts';
import { stage } from '../../shared/settings/names.ts';
import { itemWriter } from '../../shared/store/lines/write-items.ts';
import type { TransferOptions } from './export.ts';
import type { Counts, Header, Section, StoredMessage, StoredObject } from './format.ts';
import { type Entry, readExport } from './read-export.ts';
import { type Resource, requireEmpty, requireStopped, resourcesOf } from './stage.ts';

export type Imported = Counts & {
  readonly header: Header;
  /** Objects that have another entity tag than before. */
  readonly otherTags: readonly string[];
};

/**
 * Writes an export into this process's stage. The whole file is checked before the first write. It may be repeated: what
 * is written again is the same, and only messages may come twice.
 * @example await importStage({ root: process.cwd(), path: 'prod.sinete', force: false, say: console.error });
 */
export async function importStage(options: TransferOptions): Promise<Imported> {
  const { root, path, force, say, now = Date.now } = options;
  const resources = await resourcesOf(root);
  const { header, sections, end } = await check(path);
  const missing = sections.filter(({ holds, id }) => holds && !resources.some((each) => each.id === id));
  if (missing.length > 0)
    throw new CommandRefusal(
      `The stage ${stage()} does not have ${missing.map(({ id }) => id).join(', ')}, and the file does. Deploy those services first.`,
    );
  if (!force) {
    await requireStopped(resources, now(), say);
    await requireEmpty(resources);
  }
  const otherTags: string[] = [];
  let target: Target | undefined;
  for await (const entry of readExport(path)) {
    if ('section' in entry || 'end' in entry) {
      const count = await target?.finish();
      if (target && count) say(`${target.id}: ${count}`);
      const resource = 'section' in entry && resources.find(({ id }) => id === entry.section.id);
      target = resource ? open(resource, otherTags) : undefined;
    } else await target?.add(entry);
  }
  return { ...end, header, otherTags };
}

/** Reads a file to its end. */
async function check(path: string) {
  const sections: (Section & { holds: boolean })[] = [];
  let header: Header | undefined;
  for await (const entry of readExport(path)) {
    if ('header' in entry) header = entry.header;
    else if ('section' in entry) sections.push({ ...entry.section, holds: false });
    else if ('end' in entry && header) return { header, sections, end: entry.end };
    else {
      const last = sections.at(-1);
      if (last) last.holds = true;
    }
  }
  throw new CommandRefusal(`${path} is no complete export.`);
}

type Target = {
  readonly id: string;
  readonly add: (entry: Entry) => Promise<void>;
  /** How many were written. */
  readonly finish: () => Promise<number>;
};

function open({ kind, id, name }: Resource, otherTags: string[]): Target {
  let count = 0;
  const { add, finish } =
    kind === 'table'
      ? tableTarget(name)
      : kind === 'bucket'
        ? bucketTarget(name, otherTags)
        : queueTarget(name);
  return {
    id,
    add: async (entry) => {
      await add(entry);
      count += 1;
    },
    finish: async () => {
      await finish();
      return count;
    },
  };
}

function tableTarget(table: string): Omit<Target, 'id' | 'finish'> & { finish: () => Promise<void> } {
  const writer = itemWriter(table);
  return {
    add: async (entry) => {
      if ('item' in entry) await writer.add(entry.item);
    },
    finish: writer.flush,
  };
}

// Small objects are written side by side: each takes a round trip. A larger one is streamed, with nothing beside it.
const SMALL_BYTES = 1_024 * 1_024;
const WRITES_AT_ONCE = 16;

function bucketTarget(bucket: string, otherTags: string[]) {
  let underWay: Promise<void>[] = [];
  const finish = async (): Promise<void> => {
    await Promise.all(underWay);
    underWay = [];
  };
  const put = async (object: StoredObject, content: Buffer | Readable): Promise<void> => {
    const etag = await putObject(bucket, object, content);
    if (etag !== object.etag) otherTags.push(object.key);
  };
  return {
    async add(entry: Entry): Promise<void> {
      if (!('object' in entry)) return;
      const { object, content } = entry;
      if (object.bytes > SMALL_BYTES) return put(object, Readable.from(content, { objectMode: false }));
      const putting = put(object, Buffer.concat(await Array.fromAsync(content)));
      putting.catch(() => undefined); // it is awaited with the others
      underWay.push(putting);
      if (underWay.length >= WRITES_AT_ONCE) await finish();
    },
    finish,
  };
}

// S3's smallest part, which the uploads of this house have.
const PART_BYTES = 5 * 1_024 * 1_024;
const PARTS_AT_ONCE = 3;

/**
 * Puts an object in the way in which it was put: in one piece, or in parts. Records hold entity tags of objects, and the
 * tag of one in parts depends on them.
 */
async function putObject(
  Bucket: string,
  { key: Key, bytes, contentType: ContentType, etag }: StoredObject,
  Body: Buffer | Readable,
): Promise<string | undefined> {
  if (!/-\d+"$/.test(etag)) {
    const input = { Bucket, Key, Body, ContentType, ContentLength: bytes };
    return (await s3().send(new PutObjectCommand(input))).ETag;
  }
  const params = { Bucket, Key, Body, ContentType };
  const upload = new Upload({ client: s3(), params, partSize: PART_BYTES, queueSize: PARTS_AT_ONCE });
  return (await upload.done()).ETag;
}

const MESSAGES_AT_ONCE = 10;
// SQS takes 256 KB in one request, attributes included.
const MAX_REQUEST_BYTES = 200 * 1_024;

function queueTarget(QueueUrl: string) {
  let waiting: StoredMessage[] = [];
  let bytes = 0;
  const finish = async (): Promise<void> => {
    const Entries = waiting.map(({ body, attributes }, at) => ({
      Id: String(at),
      MessageBody: body,
      ...(Object.keys(attributes).length > 0 && { MessageAttributes: { ...attributes } }),
    }));
    [waiting, bytes] = [[], 0];
    if (Entries.length === 0) return;
    const { Failed = [] } = await sqs().send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    if (Failed[0])
      throw new Error(`${QueueUrl} did not take a message: ${Failed[0].Message ?? Failed[0].Code}`);
  };
  return {
    async add(entry: Entry): Promise<void> {
      if (!('message' in entry)) return;
      const size = Buffer.byteLength(JSON.stringify(entry.message));
      if (waiting.length === MESSAGES_AT_ONCE || bytes + size > MAX_REQUEST_BYTES) await finish();
      waiting.push(entry.message);
      bytes += size;
    },
    finish,
  };
}
