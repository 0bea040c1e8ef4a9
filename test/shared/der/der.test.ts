import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { berToDer } from '../../../shared/der/ber.ts';
import { latin1Bytes } from '../../../shared/der/bytes.ts';
import { readElement } from '../../../shared/der/element.ts';
import {
  children,
  childrenOf,
  DerError,
  eachChild,
  readBitString,
  readCount,
  readDer,
  readInteger,
  readOid,
  readWholeBytes,
  TooManyElements,
} from '../../../shared/der/read.ts';
import { TAG } from '../../../shared/der/tags.ts';
import { readText, readTime } from '../../../shared/der/text-and-time.ts';
import * as w from '../../../shared/der/write.ts';
import { runs } from '../../faults/fuzz.ts';

const toDer = (bytes: Uint8Array, max?: number) => Buffer.from(berToDer(bytes, max));
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('DER', () => {
  test('writes lengths in their shortest form', () => {
    expect(w.octetString(Buffer.alloc(127)).subarray(0, 2)).toEqual(hex('04 7f'));
    expect(w.octetString(Buffer.alloc(128)).subarray(0, 3)).toEqual(hex('04 81 80'));
    expect(w.octetString(Buffer.alloc(65_536)).subarray(0, 5)).toEqual(hex('04 83 01 00 00'));
  });

  test('puts the elements of a SET OF in the order of their bytes', () => {
    expect(w.setOf(w.integer(3), w.integer(1), w.integer(2))).toEqual(hex('31 09 020101 020102 020103'));
  });

  test.each(['2.5.29.19', '1.2.840.113549.1.7.2', '2.16.76.1.3.1', '2.999.3', '0.9.2342.19200300.100.1.25'])(
    'reads the object identifier %s as it was written',
    (text) => expect(readOid(readDer(w.oid(text)))).toBe(text),
  );

  test('reads every integer as it was written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 1n << 256n }), (value) => {
        expect(readInteger(readDer(w.integer(value)))).toBe(value);
      }),
    );
    expect(readInteger(readDer(hex('02 01 ff')))).toBe(-1n);
    expect(() => readCount(readDer(hex('02 01 ff')))).toThrow(DerError);
  });

  test('reads every time to the second, on both sides of 2050', () => {
    fc.assert(
      fc.property(fc.integer({ min: -631_152_000, max: 32_503_680_000 }), (seconds) => {
        expect(readTime(readDer(w.time(seconds * 1000)))).toBe(seconds * 1000);
      }),
    );
  });

  test('reads text in every string type that certificates use', () => {
    const bmp = Buffer.from('Conceição', 'utf16le').swap16();
    expect(readText(readDer(w.tlv(TAG.BMP_STRING, bmp)))).toBe('Conceição');
    expect(readText(readDer(w.utf8String('Conceição')))).toBe('Conceição');
    expect(readText(readDer(w.tlv(TAG.TELETEX_STRING, Buffer.from('Conceição', 'latin1'))))).toBe(
      'Conceição',
    );
  });

  test.each([
    ['a length that is not the shortest', '04 81 01 00'],
    ['an indefinite length', '30 80 00 00'],
    ['bytes after the element', '05 00 00'],
    ['content that is cut short', '04 05 00'],
    ['a long tag', '1f 81 01 00'],
    ['nothing', ''],
  ])('refuses %s', (_, bytes) => {
    expect(() => readDer(hex(bytes))).toThrow(DerError);
  });

  test('reads a Uint8Array as a Buffer, and gives views of either', () => {
    const source = w.sequence(w.oid('2.5.29.19'), w.integer(1n << 200n), w.bitString(hex('0102')));
    const plain = new Uint8Array(source);
    const [oid, integer, bits] = children(readElement(plain));
    expect(readOid(oid)).toBe('2.5.29.19');
    expect(readInteger(integer)).toBe(1n << 200n);
    expect(readWholeBytes(bits)).toEqual(Uint8Array.of(1, 2));
    expect(oid?.raw.buffer).toBe(plain.buffer);
    expect(children(readDer(plain)).every(({ raw }) => Buffer.isBuffer(raw))).toBe(true);
    expect(children(readDer(plain))[0]?.raw.buffer).toBe(plain.buffer);
  });

  test('reads Latin-1 byte by byte, whatever its length', () => {
    const all = Buffer.from(Array.from({ length: 20_000 }, (_, at) => at % 256));
    const text = readText(readElement(new Uint8Array(w.tlv(TAG.TELETEX_STRING, all))));
    expect(text).toBe(all.toString('latin1'));
    expect(latin1Bytes(text)).toEqual(new Uint8Array(all));
  });

  test('refuses a bit string that counts its bits wrongly', () => {
    expect(() => readBitString(readDer(hex('03 02 08 00')))).toThrow(DerError);
    expect(readBitString(readDer(hex('03 02 07 80')))).toEqual({ bytes: hex('80'), unusedBits: 7 });
  });

  test('reads bytes out of a bit string only when its bits fill them', () => {
    expect(readWholeBytes(readDer(hex('03 02 00 80')))).toEqual(hex('80'));
    expect(() => readWholeBytes(readDer(hex('03 02 07 80')))).toThrow(DerError);
  });

  test('gives the elements of a list one by one, and refuses the one that is broken when its turn comes', () => {
    const list = eachChild(readDer(hex('30 05 020101 0205')));
    expect(list.next().value?.raw).toEqual(w.integer(1));
    expect(() => list.next()).toThrow(DerError);
  });

  test('holds a thousand elements of a list and no more, unless the caller says how many', () => {
    const list = (count: number) => readDer(w.tlv(TAG.SEQUENCE, Buffer.alloc(2 * count, w.NULL)));
    expect(children(list(1000))).toHaveLength(1000);
    expect(() => children(list(1001))).toThrow(TooManyElements);
    expect(childrenOf(list(3), TAG.SEQUENCE, 3)).toHaveLength(3);
    expect(() => childrenOf(list(4), TAG.SEQUENCE, 3)).toThrow(expect.objectContaining({ max: 3 }));
  });

  test('refuses an object identifier longer than any', () => {
    const oid = (bytes: number) => readDer(w.tlv(TAG.OID, Buffer.alloc(bytes, 1)));
    expect(readOid(oid(256)).split('.')).toHaveLength(257);
    expect(() => readOid(oid(257))).toThrow(DerError);
  });

  test('never does anything but read or refuse, whatever the bytes', () => {
    const walk = (bytes: Uint8Array): void => {
      const visit = (element: ReturnType<typeof readDer>) => {
        if (element.tag & 0x20) for (const child of children(element)) visit(child);
      };
      visit(readDer(bytes));
    };
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        for (const read of [walk, toDer]) {
          try {
            read(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(DerError);
          }
        }
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe('BER', () => {
  test('becomes DER: indefinite lengths, long lengths and strings in pieces', () => {
    const ber = hex('30 80 24 80 04 02 0102 04 81 01 03 00 00 02 01 05 00 00');
    expect(toDer(ber)).toEqual(w.sequence(w.octetString(hex('010203')), w.integer(5)));
  });

  test('leaves DER as it is', () => {
    const der = w.sequence(w.oid('1.2.3'), w.explicit(0, w.octetString(Buffer.alloc(300, 7))), w.NULL);
    expect(toDer(der)).toEqual(der);
  });

  test('may have more parts than a call may have arguments', () => {
    const crumbs = w.tlv(TAG.SEQUENCE, Buffer.alloc(600_000, w.NULL));
    expect(toDer(crumbs).equals(crumbs)).toBe(true);
  });

  test('refuses more elements than the caller allows', () => {
    const three = w.sequence(w.NULL, w.NULL);
    expect(toDer(three, 3)).toEqual(three);
    expect(() => toDer(three, 2)).toThrow(TooManyElements);
  });

  test.each([127, 128, 255, 256, 65_535, 65_536, 16_777_216])(
    'becomes DER at a length of %d bytes',
    (length) => {
      const whole = w.octetString(Buffer.alloc(length, 7));
      const pieces = w.tlv(TAG.OCTET_STRING, Buffer.alloc(length, 7));
      const string = Buffer.concat([hex('24 80'), pieces, hex('0000')]);
      expect(toDer(Buffer.concat([hex('30 80'), string, hex('0000')])).equals(w.sequence(whole))).toBe(true);
    },
  );

  test('may grow where end marks become lengths of four bytes, level by level', () => {
    let ber = w.octetString(Buffer.alloc(70_000, 7));
    let der = ber;
    for (let level = 0; level < 60; level++) {
      ber = Buffer.concat([hex('30 80'), ber, hex('0000')]);
      der = w.sequence(der);
    }
    expect(der.length).toBeGreaterThan(ber.length);
    expect(toDer(ber).equals(der)).toBe(true);
  });

  test('refuses a bomb of nested headers', () => {
    expect(() => toDer(Buffer.alloc(10_000, hex('30 80')))).toThrow(DerError);
  });
});
