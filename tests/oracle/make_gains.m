% Steady-state Kalman gains of the free-torque drive, by dlqe of Octave's control package (3.4, SLICOT's Riccati solver).
%   octave-cli make_gains.m > gains.txt
% The positions are left out: with velocities measured alone they are not observable, and no steady state exists.
1;
pkg load control
function show(name, m)
  printf("%s %d %d\n", name, rows(m), columns(m));
  for i = 1:rows(m)
    printf("%.17g ", m(i, :)); printf("\n");
  end
end
% States w_m, w_l, tau; sensors w_m and w_l.
jm = 0.0008; jl = 0.001765; d = 0.01; v = 0.01; h = 5e-4;
a = [-(d + v)/jm d/jm -1/jm; d/jl -d/jl 1/jl; 0 0 0];
q = [1e-2; 1e-2; 100];
c = [1 0 0; 0 1 0];
r = diag([0.01 0.04]);
e = expm([-a, diag(q); zeros(3), a'] * h);
phi = e(4:6, 4:6)';
qd = phi * e(1:3, 4:6); qd = (qd + qd') / 2;
[gain, predicted, corrected] = dlqe(phi, eye(3), c, qd, r);
show("a", a); show("density", q); show("c", c); show("r", r); show("interval", h);
show("gain", gain); show("predicted", predicted); show("corrected", corrected);
