import { describe, expect, test } from 'vitest';
import { requireRegisteredUri } from '../../../../functions/hub/domain/redirect-uri.ts';

const codeOf = (uri: string, registered: readonly string[] = [uri]): unknown => {
  try {
    requireRegisteredUri({ registered: { redirectUris: registered } }, uri);
    return 'accepted';
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
};

describe('a redirect URI', () => {
  test.each([
    'return',
    '/return',
    '//host/return',
    'localhost/return',
    'http:return',
    'https:/host/return',
    'https://',
    'http://host:port/',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://host/1',
    'file:///etc/passwd',
    'about:blank',
    'view-source:https://host/',
    'https://host/a b',
    'https://host\\@evil.example/',
    'https://host/\r\nset-cookie: a=b',
  ])('%j is no absolute URI to send a user to, registered or not', (uri) => {
    expect(codeOf(uri)).toBe('InvalidRedirectUri');
  });

  test.each([
    'https://app.example/return',
    'http://localhost:9999/return',
    'https://app.example/return?tenant=7#top',
    'com.example.app:/return',
    'myapp://return',
    'https://app.example/retorno/ação',
  ])('%s is accepted where it is registered', (uri) => {
    expect(codeOf(uri)).toBe('accepted');
  });

  test.each([
    'https://app.example/return/',
    'https://app.example/return?x=1',
    'https://app.example/return#x',
    'https://app.example/return/../admin',
    'https://app.example/Return',
    'https://APP.example/return',
    'http://app.example/return',
    'https://app.example:443/return',
    'https://app.example@evil.example/return',
    'https://app.example.evil.example/return',
    'https://evil.example/?https://app.example/return',
    'https://app.example/retur',
  ])('%s is not the registered https://app.example/return', (uri) => {
    expect(codeOf(uri, ['https://app.example/return'])).toBe('UnauthorizedRedirectUri');
  });
});
