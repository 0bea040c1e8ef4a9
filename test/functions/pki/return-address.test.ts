import { expect, it } from 'vitest';
import { withQuery } from '../../../functions/pki/return-address.ts';

it.each([
  ['https://shop.example', 'https://shop.example?id=1'],
  ['https://shop.example/?/signed&a=b%20c', 'https://shop.example/?/signed&a=b%20c&id=1'],
  ['https://shop.example/done?', 'https://shop.example/done?id=1'],
  ['https://shop.example/#/done?x#y', 'https://shop.example/?id=1#/done?x#y'],
])('adds to the return address %s and leaves it otherwise as it was registered', (address, expected) => {
  expect(withQuery(address, { id: '1' })).toBe(expected);
});
