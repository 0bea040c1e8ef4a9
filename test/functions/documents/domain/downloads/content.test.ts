import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { Document } from '../../../../../functions/documents/domain/document/document.ts';
import { openContent } from '../../../../../functions/documents/domain/downloads/content.ts';
import { contentName } from '../../../../../functions/documents/domain/downloads/content-types.ts';
import { files } from '../../../../../shared/files/files.ts';
import { documentWith } from './drawn/originals.ts';

const original = documentWith([]).original;

describe('a content', () => {
  // It proves: a signature between the read of a document and the opening of its file, by which
  // the older file is removed, costs a download a second read and not a failure.
  //
  //   download  |-- reads: 1 is signed ------------------- 1 is gone -- reads: 2 is signed -- opens 2 --|
  //   signer          |-- signs 2 -- removes 1 --|
  test('is opened as it is now when its file was replaced since its document was read', async () => {
    const key = `documents/${randomUUID()}`;
    await files('documents').put(key, Buffer.from('second'), { contentType: 'text/plain' });
    const versions: Document[] = [
      documentWith([], { signed: { key: `documents/${randomUUID()}`, size: 5, revision: 1 } }),
      documentWith([], { signed: { key, size: 6, revision: 2 } }),
    ];
    const find = async () => versions.shift() ?? documentWith([], { signed: null });
    const { body } = await openContent(find, 'Signatures', {
      now: Date.now,
      deadlineAtMs: Number.POSITIVE_INFINITY,
    });
    expect((await buffer(body as Readable)).toString()).toBe('second');
  });

  test('has a name of its own, so that all of a document can lie in one folder', () => {
    const named = (name: string, format: Document['format'] = 'PAdES') =>
      (
        [
          'Original',
          'Signatures',
          'OriginalWithMarks',
          'PrinterFriendlyVersion',
          'SignaturesManifest',
        ] as const
      ).map((type) => contentName(type, { original: { ...original, name }, format }));
    expect(named('contrato.pdf')).toEqual([
      'contrato.pdf',
      'contrato-signed.pdf',
      'contrato-marked.pdf',
      'contrato-printable.pdf',
      'contrato-manifest.pdf',
    ]);
    expect(named('nota.v2.xml', 'XAdES')[1]).toBe('nota.v2-signed.xml');
    expect(named('Ação nº 7', 'CAdES').slice(1, 4)).toEqual([
      'Ação nº 7.p7s',
      'Ação nº 7-marked.pdf',
      'Ação nº 7-printable.pdf',
    ]);
  });
});
