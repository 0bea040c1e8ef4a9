import { secret, text } from '../settings/kinds.ts';
import { smtpServer } from './smtp-server.ts';

/** The settings of a service that sends mail to people. */
export const mailSettings = {
  'Mail:Smtp:Server': smtpServer(
    'The server that takes mail to people: smtp://HOST:PORT, or smtps:// for TLS from the start. Without it no mail is sent.',
  ),
  'Mail:Smtp:User': text('', 'The user at that server. Without one, none is given.'),
  'Mail:Smtp:Password': secret('', 'The password of that user.'),
  'Mail:Smtp:From': text('', 'The address that mail comes from, as a@b.example or Name <a@b.example>.'),
};

type Values = { readonly [Name in keyof typeof mailSettings]: (typeof mailSettings)[Name]['default'] };

/** The settings of mail, as a service reads them. */
export type MailValues = Values;

const SENDER = /^(?:([^<>@]*)<[^\s<>@]+@([^\s<>@]+)>|[^\s<>@]+@([^\s<>@]+))$/;

export const senderRule = ({ 'Mail:Smtp:Server': server, 'Mail:Smtp:From': from }: Values) =>
  server === undefined || SENDER.test(from)
    ? undefined
    : 'Setting Mail:Smtp:Server names a mail server: give the address that mail comes from, Mail:Smtp:From, too, as a@b.example or Name <a@b.example>.';

/** The name and the domain of an address that mail comes from. @example senderOf('ACME <no-reply@acme.example>') */
export function senderOf(from: string): { readonly name: string; readonly domain: string } {
  const [, name = '', domain, bare] = SENDER.exec(from) ?? [];
  return { name: name.trim() || 'Sinete', domain: domain ?? bare ?? 'localhost' };
}
