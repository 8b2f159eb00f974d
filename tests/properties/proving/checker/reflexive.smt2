; →* is reflexive: RIGHT-ARC
(set-logic ALL)
(declare-fun cell_beta (Int) Int)
(declare-fun cell_sigma (Int) Int)
(declare-fun height_beta () Int)
(declare-fun height_sigma () Int)
(declare-fun reaches (Int Int) Bool)
; →* is reflexive
(assert (forall ((x0 Int)) (reaches x0 x0)))
; the negated goal
(assert (not (forall ((x0 Int)) (or (reaches x0 x0) (and (reaches x0 (cell_sigma (+ height_sigma (- 1)))) (reaches (cell_beta (+ height_beta (- 1))) x0))))))
(check-sat)
