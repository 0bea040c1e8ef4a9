import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import type { CodeFactor, Factor, FlowAction } from '../flow/flow.ts';
import { preferencesOf } from '../places/preferences.ts';
import type { LinkHolder } from './action-link.ts';
import type { AuthenticationType } from './evidence.ts';

/** How a person came to sign: by a link, or by an application that calls with its key. */
export type Way = { readonly link: LinkHolder['link'] } | { readonly application: string };

export const viaOf = (way: Way): string => ('link' in way ? way.link.hash : `application ${way.application}`);

/** The application that knows who the person is, by having made the link or by signing for them. */
export const applicationOf = (way: Way): string | undefined =>
  'link' in way ? way.link.issuedBy : way.application;

export type Factors = {
  /** The codes that are still to be given. */
  readonly asked: readonly Factor[];
  /** What the link shows by itself. */
  readonly given: readonly AuthenticationType[];
};

/**
 * The factors of an electronic signature. A code by mail is asked of whom no application has identified; a link that was
 * opened by such a code needs no other one.
 */
export function factorsOf({ electronic }: Pick<FlowAction, 'electronic'>, way: Way): Factors {
  const application = applicationOf(way);
  const isVerified = 'link' in way && way.link.isVerified === true;
  const asked = (electronic?.factors ?? []).filter(
    (factor) => factor !== 'Email' || (application === undefined && !isVerified),
  );
  return {
    asked,
    given: [
      ...(application === undefined ? [] : (['Application'] as const)),
      ...(isVerified ? (['Email'] as const) : []),
    ],
  };
}

/** Whether codes can be sent by SMS. */
export const offersSms = (): boolean => settings['Sms:Url'] !== undefined;

/** Whether people can show that they are present. */
export const offersLiveness = (): boolean => settings['Liveness:ApiKey'] !== '';

type Located = Pick<LinkHolder, 'action' | 'location'>;

/** Whether an action may be signed electronically now: its organization may have chosen since that nobody does. */
export const takesElectronic = ({ action, location }: Located): boolean =>
  action.electronic != null && preferencesOf(location.organization).signingWays.electronic;

/** Refuses an action that nobody may sign electronically. */
export function requireElectronic(located: Located): void {
  if (!takesElectronic(located))
    throw errors.refuse('ElectronicSignatureNotAllowed', { flowActionId: located.action.id });
}

const SHOWN_DIGITS = 4;

/** Where the codes go that somebody at a link is asked for: so that they know it again, and others do not learn it. */
export const codesAskedOf = ({ link, action, person }: LinkHolder) =>
  factorsOf(action, { link }).asked.map((factor) => ({
    factor,
    to: isSent(factor)
      ? factor === 'Email'
        ? maskAddress(person.emailAddress ?? '')
        : maskPhone(person.phone ?? '')
      : null,
  }));

/** Whether a factor is a code that is sent. */
export const isSent = (factor: Factor): factor is CodeFactor => factor === 'Email' || factor === 'SMS';

const maskAddress = (address: string): string =>
  `${address.slice(0, 1)}•••${address.slice(Math.max(0, address.lastIndexOf('@')))}`;

const maskPhone = (phone: string): string => `•••${phone.replace(/\D/g, '').slice(-SHOWN_DIGITS)}`;
