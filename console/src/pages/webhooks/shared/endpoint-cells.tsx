// The cells of an endpoint, in each list of endpoints.
import type { WebhookEndpoint } from '@concord/client';
import { Link } from '@tanstack/react-router';
import type { State } from '#messages/state.ts';
import { environments } from '#messages/webhooks.ts';
import { Faint, MiddleCut, Status } from '#ui/text/text.tsx';

type NameProps = {
  partner: string;
  id: string;
  endpoint: Pick<WebhookEndpoint, 'url' | 'description'>;
  /** False: the caller may not open it. */
  isLink?: boolean;
};
/**
 * The URL above the description. The end of a URL tells endpoints apart, so a long one is cut in the middle.
 */
export function EndpointName({ partner, id, endpoint: { url, description }, isLink = true }: NameProps) {
  const text = <MiddleCut text={url.replace('https://', '')} />;
  return (
    <>
      {isLink ? (
        <Link
          to="/p/$partner/webhooks/endpoints/$endpoint"
          params={{ partner, endpoint: id }}
          title={url}
          aria-label={url}
        >
          {text}
        </Link>
      ) : (
        <span title={url}>{text}</span>
      )}
      {description !== null && (
        <div>
          <Faint>{description}</Faint>
        </div>
      )}
    </>
  );
}

type StateProps = {
  state: State;
  environment: WebhookEndpoint['environment'];
  /** How many deliveries wait. */
  waiting?: string | false;
};
/** The environment is named only where it is unusual. */
export function EndpointStatus({ state, environment, waiting = false }: StateProps) {
  const below = [environment === 'sandbox' && environments.sandbox, waiting].filter(Boolean);
  return (
    <>
      <Status {...state} />
      {below.length > 0 && (
        <div>
          <Faint>{below.join(', ')}</Faint>
        </div>
      )}
    </>
  );
}
