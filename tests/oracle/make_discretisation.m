% Phi = expm(A h) and Qd by Van Loan's block matrix, for three drives. Made with Octave 7.3:
%   octave-cli make_discretisation.m > discretisation.txt
% Format: name rows columns, then the elements row by row.
1;
function show(name, m)
  printf("%s %d %d\n", name, rows(m), columns(m));
  for i = 1:rows(m)
    printf("%.17g ", m(i, :)); printf("\n");
  end
end
function [phi, qd] = van_loan(a, q, h)
  n = rows(a);
  e = expm([-a, diag(q); zeros(n), a'] * h);
  phi = e(n + 1:end, n + 1:end)';
  qd = phi * e(1:n, n + 1:end);
  qd = (qd + qd') / 2;
end
function case_of(name, a, q, h)
  [phi, qd] = van_loan(a, q, h);
  show([name ".a"], a); show([name ".density"], q); show([name ".interval"], h);
  show([name ".transition"], phi); show([name ".noise"], qd);
end

% States q_m, q_l, w_m, w_l, tau: a free torque that wanders (Hovland et al. 2002, simulation 2).
jm = 0.0008; jl = 0.001765; d = 0.01; v = 0.01;
free = [0 0 1 0 0; 0 0 0 1 0; 0 0 -(d + v)/jm d/jm -1/jm; 0 0 d/jl -d/jl 1/jl; 0 0 0 0 0];
case_of("free_torque", free, [0; 0; 1e-2; 1e-2; 100], 5e-4);

% The same at standstill: the friction's slope 0.27 * 2/pi / 0.01 makes a pole at -2.1e4 1/s.
standstill = free; standstill(3, 3) = -(d + v + 0.27 * 2/pi / 0.01)/jm;
case_of("standstill", standstill, [0; 0; 1e-2; 1e-2; 100], 5e-4);

% A spring of 79 N m/rad in place of the free torque: lightly damped, 379 rad/s.
k = 79;
spring = [0 0 1 0; 0 0 0 1; -k/jm k/jm -(d + v)/jm d/jm; k/jl -k/jl d/jl -d/jl];
case_of("spring", spring, [0; 0; 1e-2; 1e-2], 2e-3);
