import type { Difference } from './known.ts';
import type { Command } from './object-commands.ts';

const errorOf = (outcome: unknown): string | undefined =>
  typeof outcome === 'object' && outcome !== null && 'error' in outcome ? String(outcome.error) : undefined;

/** The differences of files. */
export const OBJECT_DIFFERENCES: readonly Difference<Command, unknown>[] = [
  {
    engines: ['localstack'],
    call: '`DeleteObject` with `If-Match`',
    aws: 'deletes if the tag is equal',
    engine: '501',
    is: (command, _, theirs) =>
      command.do === 'delete' && command.tag !== undefined && errorOf(theirs) === 'NotImplemented',
  },
  {
    engines: ['localstack', 'moto'],
    call: '`GetObject` with a range that is none (`bytes=5-2`, `lines=1-2`)',
    aws: 'the whole object',
    engine: '416, or a part of it',
    is: (command, ours) =>
      command.do === 'get' && /lines|5-2/.test(command.range ?? '') && errorOf(ours) === undefined,
  },
  {
    engines: ['localstack', 'moto'],
    call: '`CompleteMultipartUpload` that is wrong in more than one way',
    aws: 'one of the errors',
    engine: 'another one of them; moto answers 500 without an upload',
    is: (command, ours, theirs) =>
      command.do === 'complete' && errorOf(ours) !== undefined && errorOf(theirs) !== undefined,
  },
  {
    engines: ['localstack'],
    call: '`CompleteMultipartUpload` with `If-None-Match`, after another object of that key was deleted',
    aws: '409 while the deletion is under way',
    engine: '409 for as long as the upload lasts',
    is: (command, _, theirs) =>
      command.do === 'complete' && command.isNew && errorOf(theirs) === 'ConditionalRequestConflict',
  },
  {
    engines: ['moto'],
    call: '`UploadPart` without an upload, and `CompleteMultipartUpload` of one that was completed',
    aws: '404',
    engine: '500, or taken',
    is: (command, ours) =>
      (command.do === 'part' || command.do === 'complete' || command.do === 'abort') &&
      errorOf(ours) === 'NoSuchUpload',
  },
  {
    engines: ['localstack'],
    call: '`ListObjectsV2` in pages of folders',
    aws: 'all pages',
    engine: '500 at times',
    is: (command, _, theirs) => command.do === 'list' && errorOf(theirs) === 'InternalError',
  },
  {
    engines: ['moto'],
    call: '`ListObjectsV2` with folders, from a key within a folder',
    aws: 'the folder, where it has later keys',
    engine: 'not the folder',
    is: (command, ours, theirs) =>
      command.do === 'list' &&
      command.after !== undefined &&
      command.delimiter !== undefined &&
      errorOf(ours) === errorOf(theirs),
  },
  {
    engines: ['moto'],
    call: '`CopyObject` with a condition',
    aws: '412 where the tag is another one, whatever the key is',
    engine: 'copied, or the error of a copy onto itself',
    is: (command, ours) =>
      command.do === 'copy' && command.tag !== undefined && errorOf(ours) === 'PreconditionFailed',
  },
  {
    engines: ['localstack', 'moto'],
    call: '`CopyObject` of an object that was uploaded in parts, and what is read of the copy',
    aws: 'a new tag, of the whole content; the embedded store keeps the tag',
    engine: 'as AWS',
    is: (_, ours) => JSON.stringify(ours).includes('-1\\"'),
  },
];
