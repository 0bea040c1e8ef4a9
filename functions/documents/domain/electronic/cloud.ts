import { cloudOf } from '../../../../shared/hub/cloud.ts';
import { settings } from '../../settings.ts';

/** The hub by which seals in the cloud are made. */
export const cloud = cloudOf('documents', settings);
