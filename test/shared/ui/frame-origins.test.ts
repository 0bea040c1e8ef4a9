import { describe, expect, test } from 'vitest';
import { frameAncestorsOf, frameOrigins } from '../../../shared/ui/frame-origins.ts';

const { parse } = frameOrigins('Who may embed.');

describe('a setting of frame origins', () => {
  test('takes origins with commas or spaces between', () => {
    expect(parse('https://a.example, http://localhost:8080 https://b.example/')).toBe(
      'https://a.example http://localhost:8080 https://b.example',
    );
    expect(parse('')).toBe('');
  });

  test.each([
    '*',
    "'self'",
    'a.example',
    'https://a.example/path',
    'https://a.example?x',
    'https://user@a.example',
    'data:text/html,x',
    'https://a.example; script-src *',
    "https://a.example;script-src'unsafe-inline'",
  ])('refuses what is not an origin: %s', (given) => {
    expect(() => parse(given)).toThrow('must be http or https origins');
  });

  test('always lets this host itself', () => {
    expect(frameAncestorsOf([])).toBe("'self'");
    expect(frameAncestorsOf(['https://a.example'])).toBe("'self' https://a.example");
  });
});
