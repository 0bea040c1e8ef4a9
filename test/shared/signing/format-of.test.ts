import { describe, expect, test } from 'vitest';
import { formatOf } from '../../../shared/signing/format-of.ts';

const format = (contentType: string, text: string | Buffer, forceCades = false) =>
  formatOf({ contentType, firstBytes: Buffer.from(text), forceCades });

const [PDF, XML, CMS] = ['%PDF-1.7\n', '<?xml version="1.0"?><a/>', Buffer.from([0x30, 0x82, 1, 2, 6])];

describe('a file is signed as', () => {
  test.each([
    ['PAdES', 'application/pdf', PDF],
    ['PAdES', 'application/octet-stream', PDF],
    ['PAdES', 'text/plain', PDF],
    ['PAdES', 'application/pdf', `junk of a mail program\n${PDF}`],
    ['XAdES', 'application/xml', XML],
    ['XAdES', 'text/xml; charset=utf-8', XML],
    ['XAdES', 'application/vnd.nfe+xml', '\ufeff<nota/>'],
    ['XAdES', 'application/octet-stream', XML],
    ['XAdES', '', XML],
    ['XAdES', 'application/xml', Buffer.from(`\ufeff${XML}`, 'utf16le')],
    ['CAdES', 'application/pdf', 'no PDF at all'],
    ['CAdES', 'text/plain', `about ${PDF}`],
    ['CAdES', 'text/html', '<html></html>'],
    ['CAdES', 'text/plain', '<a> is a letter'],
    ['CAdES', 'application/xml', '<!DOCTYPE a [<!ENTITY b "c">]><a/>'],
    ['CAdES', 'application/xml', Buffer.from('<!doctype a><a/>', 'utf16le')],
    ['CAdES', 'application/pdf', CMS],
    ['CAdES', 'image/png', Buffer.from([0x89, 0x50])],
    ['CAdES', 'application/octet-stream', ''],
    ['CAdES', 'application/octet-stream', Buffer.from('<a\x03\x1f\xff', 'latin1')],
    [
      'XAdES',
      'application/xml',
      Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?>\r\n<a>\x80\xe7</a>', 'latin1'),
    ],
  ])('%s when it is sent as "%s"', (wanted, contentType, bytes) => {
    expect(format(contentType, bytes)).toBe(wanted);
  });

  test('CAdES whenever that is asked for', () => {
    expect([format('application/pdf', PDF, true), format('text/xml', XML, true)]).toEqual(['CAdES', 'CAdES']);
  });
});
