import { defineSettings } from '../../shared/settings/settings.ts';

/** The service has no setting of its own yet: those of the house apply. */
export const settings = defineSettings('hub', {});
