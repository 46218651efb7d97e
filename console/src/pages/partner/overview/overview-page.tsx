// What happens at a partner now, and what needs attention.
import { getPartner, getPartnerStats, listGrantors, listPartnerAgreements } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { usePartner } from '#app/address.ts';
import { useAccess } from '#app/session.ts';
import { formatNumber, formatShare } from '#format/numbers.ts';
import { formatOldest } from '#format/time.ts';
import { OutcomeCharts } from '#ui/chart/outcome-charts.tsx';
import { Loaded, Skeleton } from '#ui/feedback/feedback.tsx';
import { Page, Section, Stack, Tile, Tiles } from '#ui/layout/page.tsx';
import { LoadedTable } from '#ui/table/table.tsx';
import { Fact, Facts, Faint, Time } from '#ui/text/text.tsx';
import { lastHour, ManyFailures } from '../../webhooks/shared/many-failures.tsx';
import { Access } from '../people/access.tsx';
import { describeAccess, nameOf } from '../people/agreement.ts';
import { Decisions, useDecisions } from './decisions.tsx';
import { isFirst, TroubledEndpoints, useTroubled } from './troubled-endpoints.tsx';

export function OverviewPage() {
  const { can, agreement, isLoading, partner } = useAccess();
  const canGet = can('partner', 'get');
  const found = useRead(getPartner, { path: { id: partner } }, { enabled: canGet });
  const name = found.data?.data.name ?? agreement?.partner.name;
  const seesDeliveries = can('deliveries', 'query');
  const seesEndpoints = can('webhook_endpoints', 'query');
  const seesPeople = can('agreements', 'query');
  // Trouble stands above everything else, so the page appears with it.
  const troubled = useTroubled();
  const decisions = useDecisions();
  const hour = useRead(
    getPartnerStats,
    { path: { id: partner }, query: lastHour() },
    { live: true, enabled: seesDeliveries && !isLoading },
  );
  const isWaiting = troubled.isWaiting || decisions.isWaiting || (seesDeliveries && isFirst(hour));
  if (isLoading || isWaiting) return <Skeleton lines={8} />;
  if (name === undefined) {
    return (
      <Page title="Partner">
        {canGet && found.isPending ? (
          <Skeleton lines={8} />
        ) : (
          <p>This partner does not exist, or you have no access to it.</p>
        )}
      </Page>
    );
  }
  const seesNothing = !seesDeliveries && !seesEndpoints && !seesPeople;
  return (
    <Page
      title={name}
      documentTitle={`${name} – Overview`}
      about={
        seesNothing
          ? 'You are a member. Nothing of this page is open to you yet.'
          : 'What happens now, and what needs attention.'
      }
    >
      <ManyFailures stats={hour.data?.data} />
      <Decisions {...decisions} />
      {seesEndpoints && <TroubledEndpoints />}
      {seesDeliveries && <LastDay />}
      {seesPeople && <EndingAgreements />}
      {agreement && (
        <Section
          title="Your access"
          action={
            <Link to="/p/$partner/people/$agreement" params={{ partner, agreement: agreement.id }}>
              Your agreement
            </Link>
          }
        >
          {seesNothing ? (
            <>
              <Access agreement={agreement} />
              <WhoCanGive />
            </>
          ) : (
            <Facts>
              <Fact name="You are">{describeAccess(agreement)}</Fact>
              <Fact name="Ends">
                <Time at={agreement.expires_at} none="Never" />
              </Fact>
            </Facts>
          )}
        </Section>
      )}
    </Page>
  );
}

function WhoCanGive() {
  const partner = usePartner();
  const { data } = useRead(listGrantors, { path: { id: partner }, query: { permission: 'partner.get' } });
  const names = data?.data.slice(0, 5).map(({ name }) => name) ?? [];
  if (names.length === 0) return null;
  return <p>To get more access, ask {new Intl.ListFormat('en', { type: 'disjunction' }).format(names)}.</p>;
}

const soonMs = 30 * 86_400_000;
const shown = 20;

function EndingAgreements() {
  const partner = usePartner();
  const query = useRead(listPartnerAgreements, {
    path: { id: partner },
    query: { page_size: shown, sort_by: 'expires_at', 'filter[state]': 'active' },
  });
  return (
    <Section title="Agreements that end within 30 days">
      <LoadedTable
        query={query}
        lines={2}
        empty={<Faint>None.</Faint>}
        rows={(data) =>
          data.filter(({ expires_at }) => expires_at !== null && Date.parse(expires_at) < Date.now() + soonMs)
        }
        label="Agreements that end within 30 days"
        keyOf={({ id }) => id}
        columns={[
          {
            name: 'Person',
            cell: (agreement) => (
              <Link to="/p/$partner/people/$agreement" params={{ partner, agreement: agreement.id }}>
                {nameOf(agreement)}
              </Link>
            ),
          },
          { name: 'Access', cell: describeAccess, isSecondary: true },
          { name: 'Ends', at: 'expires_at' },
        ]}
      />
    </Section>
  );
}

function LastDay() {
  const partner = usePartner();
  const query = useRead(getPartnerStats, { path: { id: partner } }, { live: true });
  const toDeliveries = (search: Record<string, string>, label: string) => (
    <Link to="/p/$partner/webhooks/deliveries" params={{ partner }} search={search}>
      {label}
    </Link>
  );
  return (
    <Section title="Last 24 hours">
      <Loaded query={query} lines={10}>
        {({ data }) => {
          const { attempts, delivered, pending, oldest_pending_age_seconds: age } = data;
          return (
            <Stack>
              <Tiles>
                <Tile
                  name="Attempts that delivered"
                  about={
                    attempts === 0
                      ? 'Nothing was sent'
                      : `${formatShare(delivered, attempts)} of all attempts`
                  }
                >
                  {formatNumber(delivered)}
                </Tile>
                <Tile
                  name="Attempts that failed"
                  about={
                    attempts === delivered
                      ? 'Nothing failed'
                      : toDeliveries({ attempt_outcome: 'failed' }, 'Deliveries with a failed attempt')
                  }
                >
                  {formatNumber(attempts - delivered)}
                </Tile>
                <Tile
                  name="Deliveries pending"
                  about={
                    age === null ? 'Nothing waits' : toDeliveries({ status: 'pending' }, formatOldest(age))
                  }
                >
                  {formatNumber(pending)}
                </Tile>
              </Tiles>
              <OutcomeCharts stats={data} />
            </Stack>
          );
        }}
      </Loaded>
    </Section>
  );
}
