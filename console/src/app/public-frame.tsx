// The frame of pages that anyone can open: one card in the middle.
import { Outlet } from '@tanstack/react-router';
import css from './frames.module.css';
import { HealthBanner } from './health-banner.tsx';

export function PublicFrame() {
  return (
    <div className={css.public}>
      <HealthBanner />
      <main className={css.card}>
        <p className={css.brand}>Concord</p>
        <Outlet />
      </main>
    </div>
  );
}
