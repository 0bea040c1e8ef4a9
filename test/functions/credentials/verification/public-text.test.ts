import fc from 'fast-check';
import { expect, test } from 'vitest';
import { publicCpf, publicText } from '../../../../functions/credentials/verification/domain/public-text.ts';

test.each([
  ['a CPF', 'CPF 52998224725 errado', 'CPF ***.982.247-** errado'],
  ['a CPF with punctuation', '(529.982.247-25)', '(***.982.247-**)'],
  ['a CPF with other marks', '529 982 247/25', '***.982.247-**'],
  ['a CPF that hides', '529\u200B982\u200B24725', '***.982.247-**'],
  ['a CPF over two lines', '529.982\n247-25', '***.982.247-**'],
  ['a CPF with spaces after its marks', '529. 982. 247 - 25', '***.982.247-**'],
  ['a CNPJ', '11222333000181', '11222333000181'],
  ['a number that is no CPF', '52998224726', '52998224726'],
  ['lines', ' a\r\n\tb ', 'a b'],
  ['NUL and marks of direction', 'A\0n\u202Ea\u2066', 'Ana'],
  ['half of a pair', 'A\uD800', 'A\uFFFD'],
  ['markup', '<b>&amp;', '<b>&amp;'],
])('%s', (_, text, shown) => {
  expect(publicText(text)).toBe(shown);
});

test('no text brings a CPF or an unseen character out', () => {
  const part = fc.constantFrom('52998224725', '529.982', '.247-25', '\0', '\u202E', '\u200B', ' ', 'a', '7');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const shown = publicText(parts.join(''));
      expect(shown).not.toMatch(/(?<!\d)529\D?982\D?247\D?25(?!\d)|[\0\u202E\u200B]/);
    }),
  );
});

test('a number that is no CPF is not shown as one', () => {
  expect([publicCpf('52998224725'), publicCpf('52998224726'), publicCpf(null)]).toEqual([
    '***.982.247-**',
    null,
    null,
  ]);
});
