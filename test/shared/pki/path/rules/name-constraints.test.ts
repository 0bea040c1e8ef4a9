import type { Extension, GeneralName } from 'pkijs';
import { describe, expect, test } from 'vitest';
import { subjectAltNameOf } from '../../../../../functions/sandbox/authority/domain/issuing/extensions.ts';
import {
  addressName,
  directoryName as directory,
  hostName as dns,
  mailName as email,
  uriName as uri,
} from '../../../../../functions/sandbox/authority/domain/issuing/general-names.ts';
import { explicit, implicit, sequence } from '../../../../../shared/der/write.ts';
import { EXTENSION } from '../../../../../shared/pki/extensions/extensions.ts';
import { type NameConstraintsInput, nameConstraintsOf } from '../../../../certificates/constraints.ts';
import { extension, oddAltNames } from '../../../../certificates/odd-certificates.ts';
import { authority, authorityExtensions, errorsOf, holder, named } from '../chain.ts';

const ip = (...bytes: number[]): GeneralName => addressName(Buffer.from(bytes));
const DIRECTORY_NAME = 4;

const constrained = (constraints: Extension) =>
  authority('Constrained', { extensions: [...authorityExtensions(), constraints] });

const isBelow = (constraints: Extension, names: Extension): boolean =>
  errorsOf(holder('Holder', { extensions: [names] }, constrained(constraints))).length === 0;

const isWithin = (constraints: NameConstraintsInput, name: GeneralName): boolean =>
  isBelow(nameConstraintsOf(constraints), subjectAltNameOf([name]));

describe('a name lies under a constraint', () => {
  test.each<[string, GeneralName, GeneralName, boolean]>([
    ['the host itself', dns('example.com'), dns('EXAMPLE.com'), true],
    ['a host below it', dns('example.com'), dns('a.b.example.com'), true],
    ['a host that only ends alike', dns('example.com'), dns('badexample.com'), false],
    ['with a dot before, hosts below only', dns('.example.com'), dns('example.com'), false],
    ['every host, when it is empty', dns(''), dns('anything.test'), true],
    ['one mailbox', email('a@example.com'), email('a@EXAMPLE.com'), true],
    ['another mailbox', email('a@example.com'), email('b@example.com'), false],
    ['a mailbox whose letters differ in size', email('a@example.com'), email('A@example.com'), false],
    ['any mailbox of a host', email('example.com'), email('b@example.com'), true],
    ['a mailbox of a host below', email('example.com'), email('b@mail.example.com'), false],
    ['a mailbox of hosts below, by the dot', email('.example.com'), email('b@mail.example.com'), true],
    ['an address on the host', uri('example.com'), uri('http://user@example.com:80/x'), true],
    ['an address on a host below', uri('example.com'), uri('http://a.example.com/'), false],
    ['an address on a host below, by the dot', uri('.example.com'), uri('https://a.example.com'), true],
    ['an address by number', uri('.example.com'), uri('http://10.0.0.1/'), false],
    ['an address with no host', uri('.example.com'), uri('urn:isbn:123'), false],
    ['a number in the network', ip(10, 0, 0, 0, 255, 0, 0, 0), ip(10, 9, 8, 7), true],
    ['a number outside of the network', ip(10, 0, 0, 0, 255, 0, 0, 0), ip(11, 0, 0, 0), false],
    ['a number of the other family', ip(10, 0, 0, 0, 255, 0, 0, 0), ip(...Array<number>(16).fill(10)), false],
    ['a name below the step', directory([['country', 'BR']]), directory(named('x')), true],
    ['a name elsewhere', directory([['country', 'US']]), directory(named('x')), false],
  ])('%s', (_, constraint, name, expected) => {
    // The holder's subject is a directoryName too, so that form is not constrained.
    const also = directory([['country', 'BR']]);
    const permitted = constraint.type === DIRECTORY_NAME ? [constraint] : [constraint, also];
    expect(isWithin({ permitted }, name)).toBe(expected);
  });

  test('and is refused there when the constraint excludes', () => {
    expect(isWithin({ excluded: [dns('example.com')] }, dns('a.example.com'))).toBe(false);
    expect(isWithin({ excluded: [dns('example.com')] }, dns('example.org'))).toBe(true);
    expect(isWithin({ excluded: [uri('example.com')] }, uri('http://10.0.0.1/'))).toBe(false);
  });
});

describe('name constraints', () => {
  test('say nothing of other forms', () =>
    expect(isWithin({ permitted: [dns('example.com')] }, email('a@b.c'))).toBe(true));

  test('of a form without a rule refuse every name of that form', () => {
    const registered = (id: number): Buffer => implicit(8, Buffer.from([0x2a, id]));
    const subtrees = (n: number): Extension =>
      extension(EXTENSION.nameConstraints, sequence(explicit(n, sequence(registered(3)))), true);
    expect(isBelow(subtrees(0), oddAltNames([registered(3)]))).toBe(false);
    expect(isBelow(subtrees(1), oddAltNames([registered(4)]))).toBe(false);
  });

  test('hold for the subject, and for an e-mail address in it', () => {
    const inBrazil = constrained(nameConstraintsOf({ permitted: [directory([['country', 'BR']])] }));
    expect(errorsOf(holder('Holder', { subject: [['country', 'US']] }, inBrazil))).toHaveLength(1);
    const oneHost = constrained(nameConstraintsOf({ permitted: [email('example.com')] }));
    expect(errorsOf(holder('Holder', { subject: [['emailAddress', 'a@other.com']] }, oneHost))).toHaveLength(
      1,
    );
    expect(errorsOf(holder('Holder', { subject: [['emailAddress', 'a@example.com']] }, oneHost))).toEqual([]);
  });

  test('of every authority above hold together', () => {
    const value = (name: GeneralName) => nameConstraintsOf({ permitted: [name] });
    const top = authority('Top', { extensions: [...authorityExtensions(), value(dns('example.com'))] });
    const below = authority(
      'Below',
      { extensions: [...authorityExtensions(), value(dns('a.example.com'))] },
      top,
    );
    const of = (name: string) => holder('Holder', { extensions: [subjectAltNameOf([dns(name)])] }, below);
    expect(errorsOf(of('x.a.example.com'))).toEqual([]);
    expect(errorsOf(of('b.example.com'))).toHaveLength(1);
  });

  test('with hundreds of names on both sides are refused rather than compared', () => {
    const names = Array.from({ length: 900 }, (_, i) => dns(`${i}.example.com`));
    const many = constrained(nameConstraintsOf({ permitted: names, excluded: [dns('example.org')] }));
    expect(errorsOf(holder('Holder', { extensions: [subjectAltNameOf(names)] }, many))).toHaveLength(1);
  });
});
