// How long events and deliveries are kept, as the setting says: `90 days`.
import { formatDuration } from '../format/time.ts';
import { useSettings } from './settings.ts';

export function Retention() {
  const settings = useSettings();
  return settings === null ? '…' : formatDuration(settings.webhook_retention_seconds);
}
